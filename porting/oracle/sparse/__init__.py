"""Maps onto the probability simplex that can give exact zeros."""
