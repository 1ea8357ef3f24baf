"""The times that can be compared."""

TIMES = {"response": "response_ms", "service": "service_ms", "queue": "queue_ms"}
"""Its column in rows, by the word for each."""
