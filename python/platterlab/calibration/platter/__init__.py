"""What the platter tells: seeks, angles, skews, slipped tracks."""
