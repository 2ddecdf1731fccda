"""Write the skeleton of an op into a checkout of gradport, and say what to fill in, in which order."""

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``porting new``."""
    add = parser.add_argument
    add("family", metavar="FAMILY", help="the folder that the op stands in, as `porting list` shows it")
    add("op", metavar="OP", help="its name: lower-case words joined by _")
    add("--new-family", action="store_true", help="make the family too")
    add("--root", metavar="DIR", type=Path, default=Path(), help="the checkout; this folder by default")


def run(args: argparse.Namespace) -> int:
    """Write all files or none, and show the steps."""
    from porting.files import write_all
    from porting.scaffold.place import place
    from porting.scaffold.skeleton import skeleton, steps

    there = place(args.root, args.family, args.op, new_family=args.new_family)
    todo = steps(there)
    files = skeleton(there)
    before = {path for path in files if path.exists()}
    write_all(files, "porting new")
    for path in files:
        print("changed" if path in before else "written", path)
    print("\nFill in, in this order; each command says what is next:")
    for number, (what, command) in enumerate(todo, 1):
        print(f"{number:2}. {what}\n    {command}")
    return 0
