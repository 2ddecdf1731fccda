"""Writing: an intermediate representation becomes a custom gradient of the other framework, with its imports."""
