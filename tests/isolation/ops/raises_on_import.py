"""A module that wants something that is not there."""


def settings():
    return {}["TABLE"]  # here: raises_on_import


settings()
