"""Files that are no source, or hardly one: one line says why, and nothing is written."""

import io
import os
import py_compile
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from porting.cli.main import main

GOOD = """import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * dy
"""
CLASS = "import torch\nclass F(torch.autograd.Function):\n"
FORWARD = "    @staticmethod\n    def forward(ctx, x):\n        ctx.save_for_backward(x)\n        return {}\n"
BACKWARD = "    @staticmethod\n    def backward(ctx, dy):\n        x, = ctx.saved_tensors\n        return {}\n"
WHOLE = CLASS + FORWARD + BACKWARD
NOTEBOOK = '{"cells": [{"cell_type": "code", "source": ["import torch"]}], "nbformat": 4, "nbformat_minor": 5}'


def zipped():
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("ops.py", GOOD)
    return data.getvalue()


# What is in the file, and a part of what is said.
BROKEN = {
    "empty": ("", "no custom gradient"),
    "comments only": ("# nothing\n# at all\n", "no custom gradient"),
    "docstring only": ('"""Nothing."""\n', "no custom gradient"),
    "white space only": ("\n \n\t\n", "no custom gradient"),
    "star import only": ("from torch.autograd import *\n", "no custom gradient"),
    "null bytes": (GOOD.encode() + b"\0\0", "null bytes"),
    "null byte in a string": (GOOD + 's = "\0"\n', "null bytes"),
    "only null bytes": (b"\0" * 4096, "null bytes"),
    "unknown encoding": ("# -*- coding: klingon -*-\n" + GOOD, "unknown encoding"),
    "encoding that is none of text": ("# -*- coding: rot13 -*-\n" + GOOD, ""),
    "invalid UTF-8": (GOOD.encode() + b"# \xff\xfe\xfa\n", "is no text"),
    "latin-1 without saying so": ((GOOD + "# façade\n").encode("latin-1"), "is no text"),
    "UTF-16": (GOOD.encode("utf-16"), ""),
    "UTF-32": (GOOD.encode("utf-32"), ""),
    "BOM against the cookie": (b"\xef\xbb\xbf# -*- coding: latin-1 -*-\n" + GOOD.encode(), "is no text"),
    "notebook": (NOTEBOOK, "notebook"),
    "JSON": ('{"a": [1, 2, true]}', ""),
    "HTML": ("<!doctype html><html><body>404</body></html>", "is no Python 3"),
    "Python 2": ('import torch\nprint "hello"\n', "is no Python 3"),
    "merge conflict": ("<<<<<<< HEAD\n" + GOOD + "=======\n>>>>>>> other\n", "is no Python 3"),
    "tabs and spaces": ("if True:\n        x = 1\n\ty = 2\n", "is no Python 3"),
    "bracket that stays open": (GOOD + "x = (1, 2\n", "is no Python 3"),
    "string that stays open": (GOOD + 'x = """\n', "is no Python 3"),
    "cut off": (GOOD[:-8], "is no Python 3"),
    "bytes": (bytes(range(256)) * 16, ""),
    "compiled": (None, ""),
    "zip": (zipped(), ""),
    "10,000 nested lists": ("import torch\nx = " + "[" * 10_000 + "]" * 10_000 + "\n", ""),
    "100,000 nested parentheses": ("import torch\nx = " + "(" * 100_000 + "1" + ")" * 100_000 + "\n", ""),
    "100,000 chained operators": (WHOLE.format("x" + " + x" * 100_000, "dy"), "nested"),
    "100,000 minus signs": ("import torch\nx = " + "-" * 100_000 + "1\n", "nested"),
    "10,000 attributes": ("import torch\nx = torch" + ".a" * 10_000 + "\n", "nested"),
    "10,000 calls": ("import torch\nx = torch" + "()" * 10_000 + "\n", "nested"),
    "90 nested blocks": ("import torch\n" + "".join(" " * n + "if x:\n" for n in range(90)) + " " * 90 + "y\n", ""),
    "10,000 else-ifs": ("import torch\nif x: y\n" + "elif x: y\n" * 10_000, "nested"),
    "integer of 10,000 digits": (GOOD + "n = " + "9" * 10_000 + "\n", "is no Python 3"),
    "2 MB": (GOOD + "# " + "x" * 2_000_000 + "\n", "larger than 1 MB"),
    "bad escape of a name": (GOOD + 's = "\\N{NO SUCH NAME}"\n', "is no Python 3"),
    "class without methods": (CLASS + "    pass\n", "has no forward"),
    "no forward": (CLASS + BACKWARD.format("dy"), "has no forward"),
    "no backward": (CLASS + FORWARD.format("x"), "has no backward"),
    "forward without arguments": (CLASS + FORWARD.format("x").replace("ctx, x", "") + BACKWARD.format("dy"), ""),
    "forward of ctx alone": (CLASS + FORWARD.format("x").replace(", x)", ")") + BACKWARD.format("dy"), ""),
    "backward without arguments": (CLASS + FORWARD.format("x") + BACKWARD.format("dy").replace("ctx, dy", ""), ""),
    "backward of ctx alone": (CLASS + FORWARD.format("x") + BACKWARD.format("dy").replace(", dy", ""), ""),
    "any number of inputs": (WHOLE.format("x", "dy").replace("ctx, x)", "ctx, *x)"), "*args"),
    "unknown decorator": (WHOLE.format("x", "dy").replace("@staticmethod", "@mystery", 1), "mystery"),
    "forward that is a lambda": (CLASS + "    forward = lambda ctx, x: x\n", "has no forward"),
    "empty bodies": (WHOLE.format("x", "dy").replace("return x", "...").replace("return dy", "..."), ""),
    "class that is its own base": ("class F(F):\n    pass\n", "no custom gradient"),
    "class of a call": ("import torch\nclass F(make(torch.autograd.Function)):\n    pass\n", "no custom gradient"),
    "unknown call": (WHOLE.format("torch.foo(x)", "dy"), "torch.foo: no rule"),
    "unknown name": (WHOLE.format("mystery(x)", "dy"), "mystery"),
    "method of an unknown thing": (WHOLE.format("mystery.deep.er(x)", "dy"), "mystery"),
    "yield": (WHOLE.format("(yield x)", "dy"), ""),
    "await": (WHOLE.format("x", "dy").replace("def backward", "async def backward"), ""),
    "walrus": (WHOLE.format("(y := x) + y * undefined", "dy"), ""),
    "exec": (WHOLE.format("exec('x = 1')", "dy"), "exec"),
    "global": (WHOLE.format("x", "dy").replace("ctx.save", "global z\n        z = x\n        ctx.save"), ""),
    "f without a gradient": ("import tensorflow as tf\n@tf.custom_gradient\ndef f(x):\n    return x\n", ""),
    "gradient of a lambda": ("import tensorflow as tf\nfs = [tf.custom_gradient(lambda x: (x, lambda dy: dy))]\n", ""),
}
DEEP = {name for name in BROKEN if "0,000" in name or name == "90 nested blocks"}  # might crash an interpreter


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(content, path):
    if content is None:
        (path.parent / "source.py").write_text(GOOD)
        py_compile.compile("source.py", cfile=str(path))
        (path.parent / "source.py").unlink()
    else:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def listed(folder="."):
    return sorted(path.name for path in Path(folder).iterdir())


def ensure_one_line(code, out, err, word=""):
    assert code in {1, 2}, (out, err)
    assert out == ""
    assert len(err.splitlines()) == 1, err
    assert len(err) < 400, err
    assert word in err
    assert "Traceback" not in err
    assert "fault of porting itself" not in err


def to(content):
    """Return the framework that a file is not in."""
    return "torch" if "tensorflow" in str(content) else "tf"


@pytest.mark.parametrize("name", [name for name in BROKEN if name not in DEEP])
def test_one_line(name, folder, capsys):
    content, word = BROKEN[name]
    put(content, folder / "ops.py")
    code = main(["translate", "ops.py", "--to", to(content), "-o", "out.py", "--no-check"])
    ensure_one_line(code, *capsys.readouterr(), word)
    assert listed() == ["ops.py"]


@pytest.mark.parametrize("name", sorted(DEEP))
def test_one_line_of_a_process(name, folder):
    content, word = BROKEN[name]
    put(content, folder / "ops.py")
    run = command("ops.py", "--to", "tf", "-o", "out.py", "--no-check")
    ensure_one_line(run.returncode, run.stdout, run.stderr, word)
    assert listed() == ["ops.py"]


def test_all_in_one_folder(folder, capsys):
    """One gradient is translated; none of the others keeps it from that."""
    for number, (content, _) in enumerate(BROKEN.values()):
        put(content, folder / f"ops{number}.py")
    (folder / "good.py").write_text(GOOD)
    assert main(["translate", ".", "--to", "tf", "-o", "out", "--no-check", "-q"]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert "fault of porting itself" not in out
    assert listed("out") == ["good.py"]


def command(*words, **how):
    return subprocess.run(
        [sys.executable, "-m", "porting", "translate", *words],
        capture_output=True, text=True, check=False, timeout=60, **how,
    )  # fmt: skip


class TestPlaces:
    """What is no plain file at all: nothing hangs."""

    def refused(self, source, word):
        before = listed()
        run = command(source, "--to", "tf", "-o", "out.py", stdin=subprocess.DEVNULL)
        ensure_one_line(run.returncode, run.stdout, run.stderr, word)
        assert run.returncode == 2
        assert listed() == before

    def test_missing(self, folder):
        self.refused("ops.py", "No such file")

    def test_missing_with_a_name(self, folder):
        self.refused("ops.py:Cube", "ops.py: cannot be read (No such file")

    def test_empty_folder(self, folder):
        Path("empty").mkdir()
        self.refused("empty", "no custom gradient")

    def test_pipe(self, folder):
        os.mkfifo("ops.py")
        self.refused("ops.py", "ops.py")

    @pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/dev/stdin", "/dev/random"])
    def test_device(self, folder, path):
        self.refused(path, path)

    def test_link_to_itself(self, folder):
        Path("ops.py").symlink_to("ops.py")
        self.refused("ops.py", "ops.py")

    def test_link_to_nothing(self, folder):
        Path("ops.py").symlink_to("gone.py")
        self.refused("ops.py", "No such file")

    def test_not_readable(self, folder):
        Path("ops.py").write_text(GOOD)
        Path("ops.py").chmod(0)
        if os.access("ops.py", os.R_OK):
            Path("ops.py").unlink()
            Path("ops.py").symlink_to("/proc/self/mem")  # root may read everything else
        self.refused("ops.py", "ops.py")

    def test_name_that_no_file_can_have(self, folder):
        self.refused("x" * 5000 + ".py", "")
        self.refused("", "")

    def test_hole_of_a_terabyte(self, folder):
        with Path("ops.py").open("wb") as stream:
            stream.truncate(2**40)
        self.refused("ops.py", "larger than 1 MB")

    def test_folder_of_such(self, folder):
        os.mkfifo("pipe.py")
        Path("self.py").symlink_to("self.py")
        Path("zero.py").symlink_to("/dev/zero")
        Path("up").symlink_to("..")
        Path("folder.py").mkdir()
        Path("folder.py", "here").symlink_to(".")
        self.refused(".", "no custom gradient")


ODD = {
    "BOM": b"\xef\xbb\xbf" + GOOD.encode(),
    "Windows ends of lines": GOOD.replace("\n", "\r\n").encode(),
    "old Macintosh ends of lines": GOOD.replace("\n", "\r").encode(),
    "no end of the last line": GOOD.rstrip().encode(),
    "form feeds": GOOD.replace("\n\n\n", "\n\f\n").encode(),
    "latin-1": ("# -*- coding: latin-1 -*-\n# façade\n" + GOOD).encode("latin-1"),
    "tabs": GOOD.replace("    ", "\t").encode(),
    "one space": GOOD.replace("    ", " ").encode(),
    "continued lines": GOOD.replace("3 * x", "3 \\\n            * x").encode(),
    "nested f-string": (GOOD + "s = f\"{f'{1}'}\"\n").encode(),
    "one line of 100,000 characters": (GOOD + "s = '" + "x" * 100_000 + "'\n").encode(),
    "unknown names elsewhere": (GOOD + "print(mystery.deep(torch.foo))\n").encode(),
    "return outside": (GOOD + "return 1\n").encode(),
    "semicolons": GOOD.replace("(x)\n        return x**3", "(x); return x**3").encode(),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_but_good(name, folder, capsys):
    (folder / "ops.py").write_bytes(ODD[name])
    assert main(["translate", "ops.py", "--to", "tf", "--no-check", "-q"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "def cube(x):" in out
    compile(out, "out.py", "exec")


def test_hostile_name_of_a_file(folder, capsys):
    path = Path("a\nimport os; os.mkdir('b')\n#\x1b[31m.py")
    path.write_text(GOOD)
    assert main(["translate", str(path), "--to", "tf", "--no-check", "--html", "a.html", "--json", "a.json"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("# Translated from ")
    assert all(line.startswith("#") for line in out.split("\n\n")[0].splitlines())
    assert "\x1b" not in out + err
    assert len(err.splitlines()) == 1
