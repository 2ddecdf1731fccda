"""Worker processes: started, given jobs, replaced when they die, killed at the end."""
