"""Published training runs, repeated on each backend. Importing this package imports no framework."""
