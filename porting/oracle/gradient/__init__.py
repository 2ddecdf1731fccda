"""Ops that leave the value alone and change the gradient."""
