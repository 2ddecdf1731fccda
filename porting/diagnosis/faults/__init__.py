"""The causes, one per file: how it is recognised, what it means, the fix in each framework."""
