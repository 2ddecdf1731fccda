"""What one side answered, kept in a file: a later check needs neither its framework nor its code."""
