"""Worker processes: they are started, get jobs, are replaced when they die, and are killed at the end."""
