"""Other people's pairs: what they are given as, and the op that each side is checked as."""
