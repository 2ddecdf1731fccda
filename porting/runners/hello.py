"""What another interpreter runs first: sends its version and NumPy's, then serves. Parses in any Python since 2.7.

The file that is sent there begins with ``SOURCES``, the texts of what it needs, see `porting.runners.bundle`.
"""

import os
import sys

SOURCES = globals().get("SOURCES", {})


class Sources:
    """Imports the modules whose texts were sent along."""

    def find_spec(self, name, path=None, target=None):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201, ARG002
        """Return where a module comes from, if it comes from here."""
        from importlib.machinery import ModuleSpec

        if name not in SOURCES:
            return None
        spec = ModuleSpec(name, self, origin="<{}>".format(name), is_package=not SOURCES[name])  # type: ignore[arg-type]
        spec.has_location = True
        return spec

    def create_module(self, spec):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        """Leave it to Python."""

    def exec_module(self, module):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        """Run a module."""
        exec(compile(SOURCES[module.__name__], module.__file__, "exec"), module.__dict__)  # noqa: S102

    def get_source(self, name):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        """Return a module's text, which TensorFlow wants when it traces a function of ours."""
        return SOURCES[name]


def main():  # type: ignore[no-untyped-def]  # noqa: ANN201 - annotations would not parse in Python 2
    """Send the versions on the standard output, keep that stream for the answers only, and serve."""
    out = os.dup(1)
    os.dup2(2, 1)  # what the op prints is not for the other end
    os.write(out, ("\0gradport python %d.%d.%d\n" % sys.version_info[:3]).encode())
    if sys.version_info < (3, 7):
        return
    try:
        import numpy  # noqa: ICN001 - for its version alone
    except Exception as error:  # noqa: BLE001 - a broken installation raises what it likes
        os.write(out, ("\0gradport nothing: {}\n".format(" ".join(str(error).split())[:500])).encode())
        return
    os.write(out, ("\0gradport numpy {}\n".format(numpy.__version__)).encode())
    sys.meta_path.insert(0, Sources())
    from porting.runners.serve import serve

    serve(sys.stdin.buffer, os.fdopen(out, "wb"), sys.argv[-1])


if __name__ == "__main__":
    main()  # type: ignore[no-untyped-call]  # see above
