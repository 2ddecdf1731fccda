"""Where a custom gradient survives: op by mode, on each framework."""
