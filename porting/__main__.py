"""``python -m porting``."""

from porting.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
