"""What a report looks like: on a terminal, in JUnit XML, as annotations; and an op's three sources side by side."""
