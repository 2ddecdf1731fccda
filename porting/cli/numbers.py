"""Reads numbers on the command line, and refuses those out of range."""

import argparse


def positive(text: str) -> int:
    """Read a whole number from 1 up, for argparse."""
    return _at_least(1, text)


def natural(text: str) -> int:
    """Read a whole number from 0 up, for argparse."""
    return _at_least(0, text)


def _at_least(least: int, text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} up")
    return number


def amount(text: str) -> float:
    """Read a number above 0, for argparse."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return number
