"""`porting translate` as its users meet it: what is handed over, what is said of it, what is written where."""

import ast
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from interrupts import interrupted

from porting.cli.main import main
from porting.port.batch import find
from porting.runners import RUNNERS
from porting.translate.rules import index_of

WAITS = """import torch
from elsewhere import waits


class Mine(torch.autograd.Function):
    @staticmethod
    @waits
    def forward(ctx, x):
        return x * 2.0

    @staticmethod
    def backward(ctx, dy):
        return dy * 2.0
"""
BOTH = pytest.mark.skipif(
    any(RUNNERS[key].missing() for key in ("torch", "tf")), reason="needs both frameworks to prove anything"
)
TORCH = '''import torch
from torch.autograd import Function

LIMIT = 3.0


def _gate(x, beta):
    """Between 0 and 1."""
    return torch.sigmoid(beta * x)


class Wave(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * torch.cos(x)


class SwishFunction(Function):
    @staticmethod
    def forward(ctx, x, beta):
        ctx.save_for_backward(x)
        ctx.beta = beta
        return x * _gate(x, beta)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        s = _gate(x, ctx.beta)
        return dy * (s + ctx.beta * x * s * (1 - s)), None


def swish(x, beta=1.0):
    """x times a gate."""
    return SwishFunction.apply(x, beta)


class Odd(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.foo(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * x
'''
TF = """import tensorflow as tf


@tf.custom_gradient
def cube(x):
    def grad(dy):
        return 3 * tf.square(x) * dy

    return x**3, grad
"""
ONLY_WAVE = TORCH[: TORCH.index("class Swish")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ops.py").write_text(TORCH)
    (tmp_path / "cubes.py").write_text(TF)
    return tmp_path


@pytest.fixture
def porting(capsys):
    """Run the command here; return its exit code, stdout and stderr."""

    def run(*words):
        code = main(["translate", *words])
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def command(folder, warm):
    """Run the command here, in a process of its own."""
    return lambda *words: warm.run("porting", "translate", *words, cwd=folder)


def listed(folder="."):
    return sorted(path.name for path in Path(folder).iterdir())


def head(text):
    """Return the comment at the top."""
    return text.partition("\n\n")[0]


class TestOne:
    def test_source_on_stdout_and_what_became_of_it_on_stderr(self, folder, porting):
        code, out, err = porting("ops.py:swish", "--to", "tf", "--no-check")
        assert code == 0
        assert head(out) == "# Translated from ops.py:swish by porting 0.1.0.\n# NOT PROVEN: not checked."
        assert "def swish(x, beta=1.0):" in out
        assert "def _gate(x, beta):" in out
        assert "LIMIT" not in out
        assert err == "ops.py:24: swish is NOT PROVEN: not checked\n"
        ast.parse(out)

    def test_the_class_behind_a_function_is_the_same(self, folder, porting):
        by_class = porting("ops.py:SwishFunction", "--to", "tf", "--no-check")[1]
        by_function = porting("ops.py:swish", "--to", "tf", "--no-check")[1]
        assert by_class.partition("\n\n")[2] == by_function.partition("\n\n")[2]

    def test_other_way(self, folder, porting):
        code, out, _ = porting("cubes.py", "--to", "torch", "--no-check", "-q")
        assert code == 0
        assert "class CubeFunction(torch.autograd.Function):" in out
        assert "def cube(x):" in out

    def test_refused_with_file_line_and_reason(self, folder, porting):
        code, out, err = porting("ops.py:Odd", "--to", "tf")
        assert code == 1
        assert out == ""
        assert re.fullmatch(r"ops\.py:\d+: torch\.foo: no rule \(Odd is refused\)\n", err)

    def test_a_decorator_is_left_out_where_it_is_said_to_change_nothing(self, folder, porting):
        (folder / "waits.py").write_text(WAITS, encoding="utf-8")
        code, _, err = porting("waits.py", "--to", "tf", "--no-check")
        assert code == 1
        assert "; if it does not, --transparent waits (Mine is refused)" in err
        code, out, _ = porting("waits.py", "--to", "tf", "--no-check", "--transparent", "waits")
        assert code == 0
        assert "# Note: `@waits` is left out: it was said to change no number." in head(out)

    def test_draft_of_an_oracle_is_not_proven(self, folder, porting):
        _, out, err = porting("ops.py:Wave", "--to", "numpy")
        assert "NOT PROVEN (draft): " in out or "refused" in err

    def test_absolute_path_stays_here(self, folder, porting):
        _, out, _ = porting(str(folder / "ops.py") + ":swish", "--to", "tf", "--no-check")
        assert head(out).startswith("# Translated from ops.py:swish by")
        assert str(folder) not in out

    def test_round_trip_without_a_check(self, folder, porting):
        code, out, _ = porting("ops.py:Wave", "--to", "tf", "--no-check", "--round-trip")
        assert code == 0
        assert "Translated back: translated, not checked" in head(out)

    def test_in_part_it_raises_where_something_was_refused(self, folder, porting):
        code, out, err = porting("ops.py:Odd", "--to", "tf", "--partial")
        assert code == 1
        assert "# NOT PROVEN: 1 refused, where the translation raises when it gets there. Line " in head(out)
        assert "torch.foo: no rule" in out
        assert "def odd(x):" in out
        assert "torch.foo: no rule" in err
        compile(out, "out.py", "exec")
        assert porting("ops.py:Wave", "--to", "tf", "--partial", "--no-check")[0] == 0

    def test_without_a_framework_it_is_not_proven(self, folder, porting, monkeypatch):
        monkeypatch.setattr(type(RUNNERS["tf"]), "missing", lambda _: "TensorFlow is not installed: pip install x")
        code, out, _ = porting("ops.py:Wave", "--to", "tf")
        assert code == 1
        assert "# NOT PROVEN: TensorFlow is not installed" in head(out)
        code, out, err = porting("ops.py:Wave", "--to", "tf", "--check")
        assert (code, out) == (2, "")
        assert err == "porting: --check: TensorFlow is not installed: pip install x\n"

    def test_a_fault_of_ours_is_said_and_does_not_end_the_run(self, folder, porting, monkeypatch):
        def broken(self, title):
            raise KeyError(title)

        monkeypatch.setattr("porting.port.one.Translator.translate", broken)
        code, out, err = porting("ops.py", "--to", "tf")
        assert (code, out) == (1, "")
        assert err.count("a fault of porting itself, please report it: KeyError: 'Wave'") == 1
        assert "0 of 3 gradients translated, 3 refused" in err


class TestFile:
    def test_all_of_a_file_are_one_module(self, folder, porting):
        code, out, err = porting("ops.py", "--to", "tf", "--no-check")
        assert code == 1
        assert head(out) == "# 2 custom gradients of ops.py, translated by porting 0.1.0."
        assert out.count("import tensorflow as tf\n") == 1
        assert out.count("# Translated from ops.py:") == 2
        names = [node.name for node in ast.parse(out).body if isinstance(node, ast.FunctionDef)]
        assert names == ["wave", "_gate", "swish"]
        assert "2 of 3 gradients translated, 2 not proven, 1 refused" in err.splitlines()[-1]
        assert any("torch.foo: no rule (Odd is refused)" in line for line in err.splitlines())

    def test_helpers_come_once(self, folder, porting):
        again = TORCH[TORCH.index("class Swish") : TORCH.index("def swish")].replace("Swish", "Swash")
        (folder / "ops.py").write_text(TORCH + "\n\n" + again)
        out = porting("ops.py", "--to", "tf", "--no-check")[1]
        assert out.count("def _gate(") == 1
        assert out.count("def swash(") == 1
        compile(out, "out.py", "exec")

    def test_other_helpers_of_the_same_name_go_to_another_file(self, folder, porting):
        unlike = (
            "import tensorflow as tf\n\n\ndef {0}(x):\n    def slope(v):\n        return {1} * v\n\n"
            "    @tf.custom_gradient\n    def inner(x):\n        def grad(dy):\n            return slope(x) * dy\n\n"
            "        return x * x * {1} / 2, grad\n\n    return inner(x)\n\n\n"
        )
        (folder / "cubes.py").write_text(unlike.format("double", 2.0) + unlike.format("triple", 3.0))
        code, _, err = porting("cubes.py", "--to", "torch", "--no-check", "-o", "out/", "-q")
        assert code == 0, err
        texts = [(folder / "out" / name).read_text() for name in listed("out")]
        both = "\n".join(texts)
        assert both.count("class DoubleFunction") == both.count("class TripleFunction") == 1
        for text in texts:
            names = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
            assert len(names) == len(set(names))

    def test_json(self, folder, porting):
        porting("ops.py", "--to", "tf", "--no-check", "--json", "a.json")
        content = json.loads((folder / "a.json").read_text())
        assert content["counts"] == {"not proven": 2, "refused": 1, "total": 3}
        wave, swish, odd = content["gradients"]
        assert (wave["name"], wave["called"], wave["line"]) == ("Wave", "wave", 12)
        assert "class Wave(Function)" in wave["source"]
        assert wave["text"].startswith("# Translated from ops.py:Wave")
        assert "def _gate" in swish["source"]
        assert "def swish" in swish["source"]
        assert odd["text"] == ""
        assert odd["refused"][0]["why"] == "torch.foo: no rule"
        assert odd["said"] == "torch.foo: no rule"
        assert content["exit_code"] == 1


class TestFolder:
    @pytest.fixture
    def package(self, folder):
        (folder / "package" / "deep").mkdir(parents=True)
        (folder / "package" / "__init__.py").write_text("")
        (folder / "package" / "deep" / "one.py").write_text(ONLY_WAVE)
        for left_out in (".hidden", "__pycache__", "env", "node_modules"):
            (folder / "package" / left_out).mkdir()
            (folder / "package" / left_out / "one.py").write_text(ONLY_WAVE)
        (folder / "package" / "env" / "pyvenv.cfg").write_text("")
        (folder / "package" / "deep" / "up").symlink_to("..")
        (folder / "package" / "cubes.py").write_text(TF)
        (folder / "package" / "broken.py").write_text("import torch.autograd\nx = (\n")
        (folder / "package" / "irrelevant.py").write_text("x = (\n")
        (folder / "package" / "ops.py").write_text(TORCH)
        return folder / "package"

    def test_what_is_looked_at(self, package):
        units, unread = find(Path("package"), "tf")
        assert [(str(u.path), u.name) for u in units] == [
            ("package/deep/one.py", "Wave"), ("package/ops.py", "Wave"), ("package/ops.py", "SwishFunction"),
            ("package/ops.py", "Odd"),
        ]  # fmt: skip
        assert len(unread) == 1
        assert unread[0].startswith("package/broken.py:2: is no Python 3")
        assert [u.name for u in find(Path("package"), "torch")[0]] == ["cube"]

    def test_report_and_files(self, folder, package, porting):
        code, out, err = porting("package", "--to", "tf", "--no-check", "-o", "out/there", "--json", "a.json")
        assert (code, err) == (1, "")
        assert [str(p.relative_to("out")) for p in sorted(Path("out").rglob("*.py"))] == [
            "there/deep/one.py", "there/ops.py",
        ]  # fmt: skip
        assert "3 of 4 gradients translated, 3 not proven, 1 refused; " in out
        assert "; 1 file not read." in out
        assert "2 files in out/there." in out
        assert "package/broken.py:2: is no Python 3" in out
        assert "torch.foo: no rule" in out
        assert json.loads((folder / "a.json").read_text())["unread"]

    def test_quiet_tells_of_what_is_left(self, package, porting):
        _, out, _ = porting("package", "--to", "tf", "--no-check", "-q")
        assert len(out.splitlines()) == 3
        assert out.startswith("package/ops.py:")

    def test_own_output_is_left_out(self, package, porting):
        assert porting("package", "--to", "torch", "--no-check", "-o", "package/out", "-q")[0] == 1  # broken.py
        assert [u.name for u in find(Path("package"), "tf", Path("package/out"))[0]].count("Wave") == 2

    def test_existing_files_stay(self, folder, package, porting):
        Path("out").mkdir()
        Path("out/ops.py").write_text("precious")
        code, out, err = porting("package", "--to", "tf", "--no-check", "-o", "out")
        assert (code, out) == (2, "")
        assert err == "porting: -o out: out/ops.py is there already; give another folder, or take it away\n"
        assert [p.name for p in Path("out").rglob("*")] == ["ops.py"]
        assert Path("out/ops.py").read_text() == "precious"

    def test_interrupt_leaves_what_was_done(self, folder, package, porting, monkeypatch):
        from porting.port import batch as ports

        real, count = ports.port, iter(range(10))

        def port(unit, **how):
            if next(count) == 2:
                raise KeyboardInterrupt
            return real(unit, **how)

        monkeypatch.setattr(ports, "port", port)
        code, out, _ = porting(
            "package", "--to", "tf", "--no-check", "-o", "out", "--json", "a.json", "--html", "a.html"
        )
        assert code == 130
        assert "interrupted: 2 of 4 gradients translated" in out
        content = json.loads((folder / "a.json").read_text())
        assert content["interrupted"] is True
        assert len(content["gradients"]) == 2
        assert "interrupted: 2 of 4" in (folder / "a.html").read_text()
        assert Path("out/deep/one.py").exists()


class Page(HTMLParser):
    """Whether the tags of a page are closed, and what it holds."""

    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.text = [], [], ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in {"meta", "input", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.text += data


class TestPage:
    def page(self, porting):
        porting("ops.py", "--to", "tf", "--no-check", "--html", "a.html")
        return Path("a.html").read_text()

    def test_both_sources_are_on_it(self, folder, porting):
        page = Page(self.page(porting))
        assert "class SwishFunction(Function):" in page.text
        assert "def swish(x, beta=1.0):" in page.text
        assert "torch.foo: no rule" in page.text
        assert "2 of 3 gradients translated" in page.text
        shown = [attrs["class"] for tag, attrs in page.seen if tag == "article"]
        assert shown == ["not-proven", "not-proven", "refused"]
        filters = [attrs["id"] for tag, attrs in page.seen if tag == "input"]
        assert filters == ["show-all", "show-not-proven", "show-refused"]

    def test_source_is_shown_as_it_is(self, folder, porting):
        page = Page(self.page(porting))
        kept = TORCH[TORCH.index("class Wave") : TORCH.index("class Swish")].strip()
        assert kept in page.text

    def test_nothing_is_loaded_from_elsewhere(self, folder, porting):
        text = self.page(porting)
        assert not re.search(r"https?:|//|url\(|@import|<script|<link|<img|src=", text)
        assert "prefers-color-scheme: dark" in text

    def test_what_others_wrote_is_text(self, folder, porting):
        evil = "</pre><script>alert(1)</script>"
        (folder / "ops.py").write_text(TORCH.replace('"""Between 0 and 1."""', f'"""{evil}"""'))
        text = self.page(porting)
        assert "<script" not in text
        assert evil in Page(text).text


class TestBadUse:
    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["ops.py:swich", "--to", "tf"], ["nothing in it is called swich; did you mean swish?", "Wave, Swish"]),
            (["ops.py:qqqq", "--to", "tf"], ["is called qqqq. Its custom gradients: Wave, SwishFunction, Odd"]),
            (
                ["ops.py:LIMIT", "--to", "tf"],
                ["LIMIT is defined in it, and no custom gradient that is made there. Its custom gradients: Wave"],
            ),
            (["ops.py", "--to", "torch"], ["ops.py: is in PyTorch already; --to tf translates it"]),
            (["ops.py:Wave", "--to", "torch"], ["ops.py:Wave: is in PyTorch already; --to tf"]),
            (["ops.py:_gate", "--to", "torch"], ["ops.py:_gate: is in PyTorch already; --to tf"]),
            (["cubes.py:cube", "--to", "tf"], ["is in TensorFlow already; --to torch"]),
            (["ops.py", "--to", "jax"], ["invalid choice: 'jax'", "--help"]),
            (["ops.py"], ["required: --to"]),
            (["ops.py", "--to", "tf", "--dtype", "float23"], ["invalid choice: 'float23'", "float64"]),
            (["opps.py", "--to", "tf"], ["opps.py: cannot be read (No such file"]),
            (["empty", "--to", "tf"], ["empty: no custom gradient"]),
            (["plain.py", "--to", "tf"], ["no custom gradient is defined in it; a torch.autograd.Function is wanted"]),
            (["plain.py:f", "--to", "tf"], ["imports neither torch nor tensorflow"]),
            (["ops.py", "--to", "tf", "--input", "x=float64[3]"], ["--input is for one gradient, and ops.py has 3"]),
            (["ops.py", "--to", "tf", "--static", "a=1"], ["--static is for one gradient"]),
            (["ops.py:Wave", "--to", "tf", "--input", "x"], ["--input x: NAME=DTYPE[SHAPE]"]),
            (["ops.py:Wave", "--to", "tf", "--static", "x"], ["--static x: NAME=VALUE"]),
            (["ops.py", "--to", "tf", "-o", "no/such.py"], ["folder no does not exist"]),
            (["ops.py", "--to", "tf", "-o", "ops.py"], ["-o ops.py: is the source itself"]),
            (["ops.py", "--to", "tf", "-o", "/proc/out.py"], ["cannot be written"]),
            ([".", "--to", "tf", "-o", "/proc/out"], ["cannot be written"]),
            ([".", "--to", "tf", "-o", "plain.py"], ["plain.py is a file; a folder is wanted"]),
            (["ops.py", "--to", "tf", "--json", "no/a.json"], ["--json no/a.json"]),
            (["ops.py", "--to", "tf", "--html", "."], ["is a folder; give a file in it"]),
            (["ops.py", "--to", "numpy", "--check"], ["--check --to numpy", "draft"]),
            (["ops.py", "--to", "numpy", "--round-trip"], ["--round-trip --to numpy"]),
            (["ops.py", "--to", "tf", "--jobs", "0"], ["'0' is not a whole number"]),
        ],
    )
    def test_one_line_and_exit_2(self, folder, porting, capsys, words, said):
        (folder / "plain.py").write_text("def f(x):\n    return x\n")
        (folder / "empty").mkdir()
        before = listed()
        try:
            code, out, err = porting(*words)
        except SystemExit as left:
            code, (out, err) = left.code, capsys.readouterr()
        assert (code, out) == (2, "")
        assert len(err.splitlines()) == 1, err
        for text in said:
            assert text in err
        assert listed() == before
        assert (folder / "ops.py").read_text() == TORCH

    def test_only_a_file_that_was_asked_for_is_replaced(self, folder, porting):
        Path("out.py").write_text("old")
        assert porting("ops.py:Odd", "--to", "tf", "-o", "out.py")[0] == 1
        assert Path("out.py").read_text() == "old"
        assert porting("ops.py:Wave", "--to", "tf", "--no-check", "-o", "out.py")[0] == 0
        assert "def wave(x):" in Path("out.py").read_text()


@BOTH
@pytest.mark.slow
class TestProven:
    def test_to_tensorflow_and_back(self, folder, command):
        run = command("ops.py:swish", "--to", "tf", "-o", "swish_tf.py", "--round-trip", "--dtype", "float64")
        assert run.returncode == 0, run.stderr
        assert run.stdout == ""
        text = (folder / "swish_tf.py").read_text()
        assert "\n# Proven with PyTorch " in head(text)
        assert "checks in float64, " in head(text)
        assert "inputs swish(x[...]" in head(text)
        assert "Translated back: proven: " in head(text)
        assert 2 <= len(head(text).splitlines()) <= 5
        assert max(map(len, head(text).splitlines())) <= 100
        assert "swish is proven: " in run.stderr
        assert str(folder) not in text

    def test_to_torch_with_inputs(self, folder, command):
        run = command("cubes.py:cube", "--to", "torch", "--input", "x=float64[3]{-2..2}", "--json", "a.json")
        assert run.returncode == 0, run.stderr
        assert "inputs cube(x[3])" in head(run.stdout)
        assert "checks in float32 and float64" in head(run.stdout)
        (cube,) = json.loads((folder / "a.json").read_text())["gradients"]
        assert cube["status"] == "proven"

    def test_faults_of_the_source_are_told(self, folder, command):
        (folder / "ops.py").write_text(ONLY_WAVE.replace("dy * torch.cos(x)", "-dy * torch.cos(x)"))
        run = command("ops.py", "--to", "tf", "--dtype", "float64")
        assert run.returncode == 0, run.stderr
        assert "a surrogate, or a fault" in " ".join(head(run.stdout).replace("#", "").split())
        assert "the gradient is no derivative of its forward" in run.stderr

    def test_what_is_different_is_not_handed_over(self, folder, porting, monkeypatch):
        rule = index_of("torch").functions["torch.cos"].rule
        monkeypatch.setitem(rule.writers, "tf", lambda writer, x: writer.build("(-tf.cos({x}))", x=x))
        (folder / "ops.py").write_text(ONLY_WAVE)
        words = ["--to", "tf", "--dtype", "float64", "-o", "out.py", "--json", "a.json", "--html", "a.html"]
        code, out, err = porting("ops.py:Wave", *words)
        assert (code, out) == (1, "")
        assert not Path("out.py").exists()
        assert "ops.py:12: Wave: its translation is different and not handed over: " in err
        (wave,) = json.loads(Path("a.json").read_text())["gradients"]
        assert (wave["status"], wave["text"]) == ("different", "")
        assert "tf.cos" not in Path("a.json").read_text() + Path("a.html").read_text()

    def test_no_verdict_is_not_proven(self, folder, command):
        raising = "if x.dim() < 99:\n            raise RuntimeError('not here')\n        return torch.sin(x)"
        (folder / "ops.py").write_text(ONLY_WAVE.replace("return torch.sin(x)", raising))
        run = command("ops.py:Wave", "--to", "tf", "--dtype", "float64")
        assert run.returncode == 1
        assert "\n# NOT PROVEN: " in head(run.stdout)
        assert "def wave(x):" in run.stdout
        assert "porting-" not in run.stdout + run.stderr

    def test_part_of_a_package_is_loaded_as_one(self, folder, command):
        package = folder / "package" / "deep"
        package.mkdir(parents=True)
        for place in (package.parent, package):
            (place / "__init__.py").write_text("")
        (package / "parts.py").write_text("def unused():\n    pass\n")
        (package / "ops.py").write_text("from .parts import unused\nfrom ..deep import parts\n" + ONLY_WAVE)
        run = command("package/deep/ops.py", "--to", "tf", "--dtype", "float64")
        assert run.returncode == 0, run.stderr
        assert "Proven" in head(run.stdout)

    def test_real_interrupt(self, folder):
        words = ["translate", ".", "--to", "tf", "--dtype", "float64", "--json", "a.json", "-o", "out"]
        code, out, err = interrupted(*words, cwd=folder)
        assert code == 130, out + err
        assert "Traceback" not in out + err
        content = json.loads((folder / "a.json").read_text())
        assert content["interrupted"] is True
        assert content["gradients"][0]["status"] == "proven"  # what was done stays
        assert "interrupted: " in out
