"""Reading: a file of Python, without running it, and a custom gradient in it as its intermediate representation."""
