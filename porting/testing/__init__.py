"""The code behind the hooks of the pytest plugin: options, the checks of a test, their answers, the summary."""
