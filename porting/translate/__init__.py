"""The translator: writes a custom gradient of one framework for the other one. It never runs the code that it reads."""
