"""The command ``porting``, one file per command. Nothing heavy is imported before a command runs."""
