"""Writing: turns an intermediate representation into a custom gradient of the other framework, with its imports."""
