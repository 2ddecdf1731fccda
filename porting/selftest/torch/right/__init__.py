"""PyTorch twins that are right, and written in ways which look wrong."""
