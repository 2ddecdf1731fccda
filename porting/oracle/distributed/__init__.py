"""Collectives: what each rank gets depends on all ranks, and so does its gradient."""
