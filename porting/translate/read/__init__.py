"""Reading: turns a custom gradient in a Python file, which is not run, into an intermediate representation."""
