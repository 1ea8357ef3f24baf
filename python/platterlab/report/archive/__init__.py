"""The archive as a static site: an index to search, and a page with charts for each model."""
