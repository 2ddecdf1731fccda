"""The translator: one framework's custom gradient written in the other one's words. It never runs what it reads."""
