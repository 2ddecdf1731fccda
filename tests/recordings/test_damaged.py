"""A recording that cannot be used, or that does not fit, gives one clear line and exit code 2."""

import io
import json
import zipfile

import numpy as np
import pytest

from porting import Pair, array, record
from porting.cli.main import main
from porting.recordings.file import SCHEMA, _npy, _text

pytest.importorskip("torch")

OURS = """
import torch

def square(x):
    return x * x

def two(a, b):
    return a * b

def turned(b, a):
    return a * b

def scaled(x, k=2.0):
    return k * x
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with functions and recordings of them."""
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "ours.py").write_text(OURS)
    for name, shape in (
        ("square", {"x": array((3, 4))}),
        ("two", {"a": array((2,)), "b": array((2,))}),
        ("scaled", {}),
    ):
        pair = Pair(torch=f"{folder}/ours.py:{name}", inputs=shape)
        record(pair, folder / f"{name}.npz", dtypes=["float64"], keyword="-vjp-t", seed=7, isolate=False)
    record(["my_elementwise", "sin_squared"], folder / "ops.npz", dtypes=["float64"], keyword="-vjp-t")
    return folder


def refused(capsys, *arguments):
    """Run a command that must be refused, and return its one line."""
    assert main([str(a) for a in arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("porting: ")
    assert said.err.count("\n") == 1, said.err
    return said.err


def members(path):
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def zipped(path, content):
    with zipfile.ZipFile(path, "w") as file:
        for name, data in content.items():
            file.writestr(name, data)


def header(content, **changed):
    """Return the members with another header."""
    said = json.loads(np.load(io.BytesIO(content["header.npy"])).tobytes())
    return {**content, "header.npy": _npy(_text(json.dumps({**said, **changed})))}


def truncated(path, content):
    path.write_bytes(path.read_bytes()[:-100])


def torn(path, content):
    path.write_bytes(path.read_bytes()[:100])


def flipped(path, content):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(bytes(data))


def pickled(path, content):
    buffer = io.BytesIO()
    np.save(buffer, np.array([{"a": print}], dtype=object), allow_pickle=True)
    zipped(path, {**content, "header.npy": buffer.getvalue()})


def another_number(path, content):
    name = next(name for name in content if "f8" in name)
    numbers = np.load(io.BytesIO(content[name]))
    numbers[0] += 1
    zipped(path, {**content, name: _npy(numbers)})


def short(path, content):
    name = next(name for name in content if "f8" in name)
    zipped(path, {**content, name: content[name][:-16]})


DAMAGED = {
    "not there": (lambda path, content: path.unlink(), "there is no such file"),
    "a folder": (lambda path, content: (path.unlink(), path.mkdir()), "is a folder"),
    "empty": (lambda path, content: path.write_bytes(b""), "is no recording"),
    "text": (lambda path, content: path.write_text("x,y\n1,2\n"), "is no recording"),
    "an image": (lambda path, content: path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(500)), "is no recording"),
    "truncated": (truncated, "its end is missing"),
    "torn": (torn, "its end is missing"),
    "a byte flipped": (flipped, "is damaged"),
    "a plain array": (lambda path, content: path.write_bytes(_npy(np.ones(3))), "is no recording"),
    "foreign": (lambda path, content: zipped(path, {"x.npy": _npy(np.ones(3))}), "it has no header"),
    "pickled objects": (pickled, "has pickled objects"),
    "no JSON": (lambda path, content: zipped(path, {**content, "header.npy": _npy(_text("{"))}), "is damaged"),
    "no schema": (lambda path, content: zipped(path, header(content, schema="one")), "its header has no schema"),
    "newer": (lambda path, content: zipped(path, header(content, schema=SCHEMA + 1)), f"has format {SCHEMA + 1}"),
    "another seed": (lambda path, content: zipped(path, header(content, gradport="9")), "its hash is another one"),
    "another number": (another_number, "its hash is another one"),
    "a member gone": (
        lambda path, content: zipped(path, {n: d for n, d in content.items() if "tree" not in n}),
        "its hash is another one",
    ),
    "no hash": (
        lambda path, content: zipped(path, {n: d for n, d in content.items() if n != "hash.npy"}),
        "it has no header",
    ),
    "short": (short, "its hash is another one"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", DAMAGED)
def test_damage_is_named(kind, folder, tmp_path, capsys):
    damage, words = DAMAGED[kind]
    path = tmp_path / "one.npz"
    path.write_bytes((folder / "square.npz").read_bytes())
    damage(path, members(folder / "square.npz"))
    line = refused(capsys, "check", "--torch", f"{folder}/ours.py:square", "--against", path)
    assert str(path) in line
    assert words in line


@pytest.mark.parametrize(
    ("recording", "given", "words"),
    [
        ("two", ["--torch", "ours.py:square"], "cannot be called with (a, b)"),
        ("two", ["--torch", "ours.py:turned"], "takes (b, a)"),
        ("square", ["--torch", "ours.py:square", "--input", "z=float64[3,4]"], "recorded with inputs x=float64[3,4]"),
        ("square", ["--torch", "ours.py:square", "--input", "x=float64[5]"], "given is x=float64[5]"),
        ("square", ["--torch", "ours.py:scaled", "--static", "k=3.0"], "given is k=3.0"),
        ("scaled", ["--torch", "ours.py:scaled", "--static", "k=3.0"], "recorded with statics (none)"),
        ("square", ["--torch", "ours.py:square", "--seed", "8"], "recorded with seed 7, not with 8"),
        ("square", ["--torch", "ours.py:square", "--reference", "tf"], "the recorded side, torch, is the reference"),
        ("square", ["--torch", "ours.py:gone"], "has no gone"),
        ("square", ["--torch", "ours.py:square", "--mode", "slow"], "no mode is called 'slow'"),
        ("square", [], "which function is checked against it? Give --torch or --tf"),
        ("ops", ["--torch", "ours.py:square"], "holds 2 functions (sin_squared, my_elementwise)"),
        ("ops", ["swish"], "does not hold swish"),
        ("square", ["--torch", "ours.py:square", "--oracle", "ours.py:square"], "leave oracle= out"),
    ],
)
def test_what_does_not_fit_is_named(recording, given, words, folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    assert words in refused(capsys, "check", *given, "--against", f"{recording}.npz")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--torch", "ours.py:square", "--tf", "ours.py:square"], "one function is recorded"),
        (["--torch", "ours.py:square", "-k", "nothing"], "no check matches"),
        (["--torch", "ours.py:square", "--dtype", "float8"], "no dtype is called"),
        (["--torch", "ours.py:square", "--mode", "xla"], "has no mode xla"),
        (["--torch", "ours.py:gone"], "has no gone"),
        (["nosuchop"], "nosuchop"),
    ],
)
def test_what_cannot_be_recorded_is_named_and_nothing_is_written(given, words, folder, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    there = tmp_path / "there.npz"
    there.write_bytes(b"mine")
    assert words in refused(capsys, "record", *given, "-o", there)
    assert there.read_bytes() == b"mine"
    assert list(tmp_path.iterdir()) == [there]


@pytest.mark.parametrize(("place", "words"), [("nowhere/x.npz", "does not exist"), (".", "is a folder")])
def test_a_place_that_cannot_be_written_is_named(place, words, folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    assert words in refused(capsys, "record", "--torch", "ours.py:square", "-o", place)


def test_the_same_recording_is_the_same_file(folder, tmp_path):
    record("my_elementwise", tmp_path / "a.npz", dtypes=["float64"], keyword="-vjp-t")
    record("my_elementwise", tmp_path / "b.npz", dtypes=["float64"], keyword="-vjp-t")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
