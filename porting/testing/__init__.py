"""What the pytest plugin does, apart from its hooks."""
