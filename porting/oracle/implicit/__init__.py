"""Functions that are defined by an equation or an iteration, and not differentiated through it."""
