"""What cannot be checked as it was asked for: one clear message on stderr, exit code 2, nothing of ours besides."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import porting
from porting.errors import PairError
from porting.pairs.parse import parse_input, parse_static
from porting.runners import RUNNERS

HERE = Path(__file__).parent
OURS = str(Path(porting.__file__).parent)
QUICK = ("-k", "adjoint", "--dtype", "float64")

# Many commands in one process, each with what it says on stdout and stderr.
COMMANDS = """
import contextlib, io, json, sys
from porting.cli.main import main
answers = []
for words in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(["check", *words])
        except SystemExit as left:
            code = left.code
    answers.append((code, out.getvalue(), err.getvalue()))
json.dump(answers, sys.stdout)
"""

SINE, INPUT = ("--torch", "ops/good.py:sine"), "NAME=DTYPE[SHAPE]{LOW..HIGH} is wanted, as in x=float64[3,4]"
KNOWN = '[[difference]]\nop = "sine"\ncheck = "adjoint"\nrunner = "torch"\nreason = "so"\nlink = "l"\nexpiry = '

# The options, and words of the message.
REFUSED = [
    # names that lead nowhere
    (["--torch", "no_such_module:f"], ["no_such_module", "there is no module no_such_module here or among"]),
    (["--torch", "os.no_such:f"], ["there is no module os.no_such"]),
    (["--torch", "ops/good.py:Sin"], ["ops/good.py has no Sin", "did you mean Sine or sine?"]),
    (["--torch", "ops/good.py:Sine.nothing"], ["ops/good.py has no Sine.nothing"]),
    (["--torch", "ops/good.py:made.Inner"], ["Inner is defined inside the function made", "without arguments"]),
    (
        ["--torch", "ops/good.py:Held"],
        ["Held(weight: torch.Tensor) wants", "weight is a tensor; name FILE.py:make"],
    ),
    (["--torch", "ops/good.py:HEIGHT"], ["ops/good.py:HEIGHT is of type int", "a function is wanted"]),
    (["--torch", "ops/good.py:HEIGHT.x"], ["ops/good.py has no HEIGHT.x"]),
    (["--torch", "ops/missing.py:f"], ["ops/missing.py", "there is no such file"]),
    (["--torch", "ops" * 200 + ".py:f"], ["there is no such file"]),
    (["--torch", "ops/good:sine"], ["ops/good is no file of Python", "path/to/file.py:function is wanted"]),
    (["--torch", "./ops:sine"], ["./ops is a folder", "path/to/file.py:function is wanted"]),
    (["--torch", ".good:sine"], [".good is no file of Python", "package.module:function"]),
    # another form
    (["--torch", "good"], ["torch='good'", '"package.module:function" or "path/to/file.py:function"']),
    (["--torch", "ops/good.py"], ["torch='ops/good.py'", '"path/to/file.py:function"']),
    (["--torch", "ops/good.py:"], ["'ops/good.py:'", "path/to/file.py:function is wanted"]),
    (["--torch", ""], ["torch=''", '"package.module:function"']),
    # signatures
    (["--torch", "torch:sin"], ["sin has no signature to read", "--input x=float64[3,4]"]),
    (["--torch", "ops/good.py:any_number"], ["*xs does not say what the inputs are", "--input x=float64[3,4]"]),
    ([*SINE, "--input", "x=float64", "--input", "y=float64"], ["sine(x) cannot be called with (x, y)"]),
    (
        ["--torch", "ops/good.py:Sine", "--input", "x=float64", "--input", "y=float64"],
        ["Sine.forward takes x; given are x, y"],
    ),
    (["--torch", "ops/good.py:wave", "--static", "depth=3"], ["wave(x, *, height=1.0)", "'depth'"]),
    (["--torch", "ops/good.py:Scaled", "--static", "depth=3"], ["Scaled.forward has no argument depth"]),
    # oracles
    ([*SINE, "--oracle", "ops/good.py:no_oracle"], ["no_oracle is no op", "@porting.op", "@no_oracle.defvjp"]),
    ([*SINE, "--oracle", "ops/good.py:HEIGHT"], ["ops/good.py:HEIGHT is no op", "@porting.op"]),
    ([*SINE, "--oracle", "ops/good.py:oracle_of_two"], ["sine(x) cannot be called with (x1, x2)"]),
    (["--torch", "ops/good.py:product", "--oracle", "ops/good.py:oracle"], ["product(x1, x2)", "with (x)", "'x2'"]),
    (
        [*SINE, "--oracle", "ops/good.py:oracle", "--input", "z=float64"],
        ["the inputs are z, but the oracle takes x"],
    ),
    ([*SINE, "--oracle", "ops/good.py:oracle", "--static", "k=1"], ["static k", "no such argument"]),
    ([*SINE, "--oracle", ""], ["oracle ''", "package.module:function"]),
    # inputs and statics
    ([*SINE, "--input", "x"], ["--input x:", INPUT]),
    ([*SINE, "--input", "=float64"], ["--input =float64:", INPUT]),
    ([*SINE, "--input", "x=float65"], ["no dtype 'float65'", "float16, bfloat16, float32, float64"]),
    ([*SINE, "--input", "x=float64[3"], ["--input x=float64[3:", INPUT]),
    ([*SINE, "--input", "x=float64[-1]"], ["'-1' is no length", INPUT]),
    ([*SINE, "--input", "x=float64[3,,4]"], ["'' is no length", INPUT]),
    ([*SINE, "--input", "x=float64[²]"], ["'²' is no length", INPUT]),
    ([*SINE, "--input", "x=float64[1000000000000]"], ["'1000000000000' is no length"]),
    (
        [*SINE, "--input", "x=float64[1000000,1000000,1000]"],
        ["--input x=float64[1000000,1000000,1000]: 8.0 PB in float64, and this machine has ", "shorter axes"],
    ),
    ([*SINE, "--input", "x=float32[n,999999999,999999999]"], ["8.0 EB in float64, and this machine has "]),
    ([*SINE, "--input", "x=float64[n,...]"], ["shapes of 'x'", '(..., "n", 3), is wanted']),
    ([*SINE, "--input", "x=float64[3]{2..1}"], ["from 2 to 1 is no range"]),
    ([*SINE, "--input", "x=float64{-inf..inf}"], ["from -inf to inf is no range"]),
    ([*SINE, "--input", "x=float64{a..b}"], ["'a' is no number", INPUT]),
    ([*SINE, "--input", "x=int64[3]"], ["which integers? As in x=int64[3]{0..4}"]),
    ([*SINE, "--input", "x=int64{0.5..3}"], ["'0.5' is no whole number", INPUT]),
    ([*SINE, "--input", "x=uint8{-5..3}"], ["uint8 goes from 0 to 255"]),
    ([*SINE, "--input", "x=int64{0..3}"], ["integers are not differentiated", "float64 is wanted as well"]),
    ([*SINE, "--input", "class=float64"], ["'class' cannot be the name of an argument"]),
    ([*SINE, "--input", "x=float64", "--input", "x=float32"], ["--input x is given twice"]),
    ([*SINE, "--static", "depth"], ["--static depth: NAME=VALUE is wanted, as in axis=-1"]),
    ([*SINE, "--static", "a=1", "--static", "a=2"], ["--static a is given twice"]),
    # options that contradict each other
    ([*SINE, "sin_squared"], ["sin_squared and --torch", "not both"]),
    (["--input", "x=float64"], ["--input without a side: give --torch FUNCTION, --tf FUNCTION or both"]),
    (["--surrogate-of", "a:b"], ["--surrogate-of without a side"]),
    ([*SINE, "--reference", "tf"], ["reference='tf' is not a side of this pair (torch)"]),
    ([*SINE, "--reference", "jax"], ["--reference: invalid choice: 'jax'"]),
    # the surrogate
    ([*SINE, "--surrogate-of", "ops/good.py:nope"], ["ops/good.py has no nope"]),
    ([*SINE, "--surrogate-of", "nowhere"], ["surrogate_of 'nowhere'", "package.module:function"]),
    ([*SINE, "--surrogate-of", "ops/good.py:HEIGHT"], ["ops/good.py:HEIGHT is of type int"]),
    ([*SINE, "--surrogate-of", "ops/good.py:product"], ["(x); product takes (x1, x2)"]),
    # numbers and files
    ([*SINE, "--timeout", "0"], ["--timeout: '0' is not a number above 0"]),
    ([*SINE, "--memory", "x"], ["--memory: 'x' is not a number above 0"]),
    ([*SINE, "--jobs", "0"], ["--jobs: '0' is not a whole number from 1 up"]),
    ([*SINE, "--known", "absent.toml"], ["absent.toml", "No such file"]),
    ([*SINE, "--known", "no_toml.toml"], ["no_toml.toml", "line 1"]),
    ([*SINE, "--known", "keys.toml"], ["keys.toml: entry 1 must have exactly the keys op, check", "it has op"]),
]
# Their traceback follows, of their frames alone.
BROKEN = [
    (
        ["--torch", "ops/raises_on_import.py:op"],
        ["torch ops/raises_on_import.py does not import:", "line 8, in <module>", "in settings", "KeyError: 'TABLE'"],
    ),
    (
        ["--torch", "ops.raises_on_import:op"],
        ["torch ops.raises_on_import does not import:", "in settings", "KeyError: 'TABLE'"],
    ),
    (["--torch", "syntax.py:f"], ["torch syntax.py does not import:", "def f(x:", "SyntaxError:"]),
    (
        ["--torch", "lazy.py:absent"],
        ["torch lazy.py:absent cannot be loaded:", "in __getattr__", "RuntimeError: later"],
    ),
    (["--torch", "wants.py:f"], ["wants.py does not import:", "No module named 'no_such_neighbour'"]),
]
# These are carried out: exit code and words of the report.
CARRIED_OUT = [
    (["--torch", "torch:sin", "--input", "x=float64[3,4]", *QUICK], 0, ["sin(x[3, 4])", "1 agree, 0 differ"]),
    (["--torch", "ops.good:sine", *QUICK], 0, ["1 agree, 0 differ"]),
    (["--torch", "ops/good.py:wave", "--static", "height=3", *QUICK], 0, ["wave(x[...], height=3)", "1 agree"]),
    (["--torch", "ops/raising.py:returns_int", *QUICK], 1, ["the op returned int where a tensor is wanted"]),
    ([*SINE, "--known", "expired.toml", *QUICK], 1, ["known difference sine adjoint torch expired on 2020-01-01"]),
    (
        [*SINE, "--known", "dead.toml", *QUICK[:2]],
        1,
        ["known difference sine adjoint torch is dead", "delete the entry"],
    ),
]
FILES = {
    "syntax.py": "def f(x:\n    return x\n",
    "lazy.py": "def __getattr__(name):\n    raise RuntimeError('later')\n",
    "wants.py": "import no_such_neighbour\n",
    "no_toml.toml": "what = is this",
    "keys.toml": '[[difference]]\nop = "sine"\n',
    "expired.toml": KNOWN + "2020-01-01\n",
    "dead.toml": KNOWN + '"never"\n',
}
ALL = [[*words, *QUICK] for words, _ in (*REFUSED, *BROKEN)] + [words for words, *_ in CARRIED_OUT]

pytestmark = pytest.mark.skipif(RUNNERS["torch"].missing() is not None, reason="PyTorch is not installed")


def name_of(words):
    return " ".join(words)[:80].replace("\0", "")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    here = tmp_path_factory.mktemp("bad_input")
    shutil.copytree(HERE / "ops", here / "ops", ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in FILES.items():
        (here / name).write_text(text, encoding="utf8")
    return here


@pytest.fixture(scope="module")
def command(folder):
    """Return the answer to a command; all of them have been given in one process."""
    run = subprocess.run(
        [sys.executable, "-c", COMMANDS], input=json.dumps(ALL), cwd=folder, capture_output=True, text=True,
        check=True, timeout=300, env={**os.environ, "COLUMNS": "200"},
    )  # fmt: skip
    assert run.stderr == ""
    answers = dict(zip(map(tuple, ALL), json.loads(run.stdout), strict=True))
    return lambda *words: answers[words]


def refused(code, out, err, said):
    assert (code, out) == (2, "")
    assert err.startswith("porting")
    for word in said:
        assert word in err
    assert "Traceback" not in err
    assert OURS not in err


@pytest.mark.slow
@pytest.mark.parametrize(("words", "said"), REFUSED, ids=[name_of(words) for words, _ in REFUSED])
def test_refused_in_one_line(command, words, said):
    code, out, err = command(*words, *QUICK)
    refused(code, out, err, said)
    assert err.count("\n") == 1


@pytest.mark.parametrize(("words", "said"), BROKEN, ids=[name_of(words) for words, _ in BROKEN])
def test_their_frames_alone(command, words, said):
    refused(*command(*words, *QUICK), said)


@pytest.mark.parametrize(("words", "wanted", "said"), CARRIED_OUT, ids=[name_of(words) for words, *_ in CARRIED_OUT])
def test_carried_out(command, words, wanted, said):
    code, out, err = command(*words)
    assert (code, err) == (wanted, "")
    for word in said:
        assert word in out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [REFUSED[0], REFUSED[15], REFUSED[28], BROKEN[0], BROKEN[2], (["--torch", ""], ["torch=''"])],
    ids=lambda thing: name_of(thing) if thing[0].startswith("--") else "",
)
def test_real_command(folder, words, said):
    run = subprocess.run(
        [sys.executable, "-m", "porting", "check", *words, *QUICK],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    refused(run.returncode, run.stdout, run.stderr, said)


NAMES = st.sampled_from(["x", "é", "²", "class"])
DTYPES = st.sampled_from(["float64", "int64", "uint8", "complex64", "real"])
NUMBERS = st.sampled_from(["0", "3", "-1", "²", "n", "...", "1e999", "inf", "nan", "0.5"])
NUMBERS |= st.text("-.0123456789e", max_size=6)
SHAPES = st.lists(NUMBERS, max_size=3).map(",".join).map("[{}]".format) | st.just("")
RANGES = st.tuples(NUMBERS, NUMBERS).map("..".join).map("{{{}}}".format) | st.just("")
FORMS = st.builds("{}={}{}{}".format, NAMES, DTYPES, SHAPES, RANGES)
PIECES = ["x", "=", "float64", "int64", "[", "]", "{", "}", "..", ",", "3", "-1", "n", "²", "1e999", "nan"]
TEXTS = st.text() | st.lists(st.sampled_from(PIECES)).map("".join) | FORMS
LONG = st.sampled_from(["a=" + "(" * 10_000, "a=" + "-" * 10_000 + "1", "a=" + "9" * 5000])
ODD = st.sampled_from(["a=\0", "a={[]: 1}", "a=1 if", "é=\ud800"])
MANY = settings(max_examples=500, database=None, deadline=None)


def said(parse, text):
    """Return what is parsed, and why it is refused."""
    try:
        return parse(text), ""
    except PairError as error:
        return (None, None), str(error)


@pytest.mark.slow
@MANY
@given(TEXTS)
@example("x=float64[²]")
@example("x=float64[" + "9" * 5000 + "]")
@example("x=int64{0.." + "9" * 400 + "}")
def test_any_text_is_an_input_or_refused(text):
    (name, described), refusal = said(parse_input, text)
    if refusal:
        assert refusal.startswith(f"--input {text}: ")
    else:
        assert parse_input(f"{name}={described}") == (name, described)  # as a report says it again


@MANY
@given(TEXTS | LONG | ODD | st.text().map("a={}".format))
def test_any_text_is_a_static_or_refused(text):
    (name, _), refusal = said(parse_static, text)
    assert refusal.startswith(f"--static {text}: ") if refusal else name.isidentifier()
