"""Analysis of statements: which statements need each other, and which may be left out, renamed or computed again."""
