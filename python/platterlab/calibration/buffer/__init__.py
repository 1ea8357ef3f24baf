"""What the buffer tells: policies, overheads, read-ahead, how completions follow the platter."""
