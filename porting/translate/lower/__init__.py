"""Lowering: expressions and statements of one framework become those of the other, by the rules."""
