"""How good a result is: figures, choices on unseen requests, warnings, what stays unknown."""
