"""A platter in motion: the rows of a simulation as one offline page that plays them."""
