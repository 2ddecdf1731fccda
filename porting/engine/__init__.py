"""Carries out a plan, in this process or in workers with a limit on time and memory, and makes the report."""
