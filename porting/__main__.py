"""``python -m porting``."""

from porting.cli.main import script

if __name__ == "__main__":
    script()
