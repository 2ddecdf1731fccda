"""Find the pairs of a repository, and write a first list of them."""

import argparse
import sys
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``porting init``."""
    add = parser.add_argument
    add("folder", metavar="FOLDER", type=Path, help="where to look, at any depth; nothing in it is run")
    add("-o", dest="output", metavar="FILE", type=Path, help="write there; FOLDER/pairs.toml by default")


def run(args: argparse.Namespace) -> int:
    """Find, write, and say what there is to do."""
    from porting.errors import PairError
    from porting.files import OutputError, ensure_writable, write
    from porting.port.pairing import as_toml, matches
    from porting.port.repository import candidates

    if not args.folder.is_dir():
        raise PairError(f"{args.folder}: a folder is wanted")
    output = args.output or args.folder / "pairs.toml"
    ensure_writable(output, "-o")
    if output.exists():
        raise OutputError(f"-o {output}: is there already; give another file, or move it away")
    found, unread = candidates(args.folder)
    made = matches(found)
    for line in unread:
        print(line, file=sys.stderr)
    if not made:
        raise PairError(f"{args.folder}: no file in it has a torch.autograd.Function or a tf.custom_gradient")
    write(output, as_toml(made, output), "-o")
    whole = [match for match in made if match.whole]
    doubtful = sum(bool(match.doubts) for match in whole)
    alone = len(made) - len(whole)
    said = f"{len(whole)} pair{'s' * (len(whole) != 1)}, {doubtful} of them in doubt, {alone} without a counterpart"
    print(f"{output}: {said}\nporting check {output}")
    return 0
