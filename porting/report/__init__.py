"""Writes reports: for a terminal, as JUnit XML, as annotations; and shows the three sources of an op side by side."""
