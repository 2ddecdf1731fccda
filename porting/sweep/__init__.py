"""`porting check --seeds`: many seeds, on any executor, into a log from which the sweep can go on."""
