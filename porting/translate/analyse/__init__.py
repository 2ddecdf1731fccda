"""Analysis of statements: what needs what, what may be left out, renamed or computed again."""
