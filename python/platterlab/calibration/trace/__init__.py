"""What a trace says by itself: its requests, its clock, and what the buffer answered."""
