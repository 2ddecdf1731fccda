"""Reports as HTML, each one file that asks nothing of any network; in one style."""
