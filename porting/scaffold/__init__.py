"""What `porting new` writes: the skeleton of an op, in every file that an op stands in."""
