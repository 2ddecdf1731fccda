"""The ten examples of the four published texts, as printed."""
