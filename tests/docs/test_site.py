"""The site is built from a clean checkout without a warning, has every page, and asks for nothing outside."""

import re
import shlex
import shutil
from html import unescape
from html.entities import name2codepoint
from importlib import import_module

import pytest
from sitebuild import DOCS, MISSING, checkout, sphinx

from porting.cli.main import parser
from porting.diagnosis.cause import causes
from porting.parity.checks import checks
from porting.registry import ops

pytestmark = pytest.mark.skipif(bool(MISSING), reason="the extra docs is not installed")
OUTSIDE = re.compile(r"(?i)^\s*(?:https?:)?//")


@pytest.fixture
def extension(monkeypatch):
    """Import one of docs/_ext."""
    monkeypatch.syspath_prepend(DOCS / "_ext")
    return import_module


LOADING = re.compile(
    r"(?s)<(?:script|img|source|iframe|embed|object|video|audio|input|use|image|form|body|table|td)\b[^>]*>"
)
FOLLOWED = re.compile(r"(?s)<link\b(?![^>]*\brel=\"(?:canonical|next|prev|search|index|author|copyright)\")[^>]*>")
ADDRESS = re.compile(r"\b(?:src|srcset|data|poster|action|background|href)=\"([^\"]*)\"")


def loads(page):
    """Return what a page loads by itself."""
    tags = [*LOADING.findall(page), *FOLLOWED.findall(page)]
    styles = [*re.findall(r"(?s)<style[^>]*>(.*?)</style>", page), *re.findall(r'\bstyle="([^"]*)"', page)]
    addresses = [part for tag in tags for address in ADDRESS.findall(tag) for part in re.split(r",\s*", address)]
    return [*addresses, *(url for style in styles for url in urls(style))]


def urls(css):
    """Return what a style sheet loads."""
    return [
        *re.findall(r"""url\(\s*["']?([^)"']+)""", css),
        *re.findall(r"""@import\s+(?:url\()?["']?([^"');]+)""", css),
    ]


@pytest.mark.slow
def test_every_op_has_a_page_with_its_sources_aligned(site):
    for op in ops().values():
        text = (site / "ops" / op.family / f"{op.name}.html").read_text()
        rows = re.split(r'class="role docutils container"', text)[1:]
        trees = [re.findall(r"tree-(oracle|torch|tf)\b", row) for row in rows]
        assert trees[0] == trees[1] == ["oracle", "torch", "tf"], op.name
        assert "<math" in text, op.name
        assert "gradient_of" in text, op.name
        assert f'href="{op.family}/{op.name}.html"' in (site / "ops/index.html").read_text(), op.name


@pytest.mark.slow
def test_every_cause_has_a_page_with_its_fixes(site):
    for cause in causes().values():
        text = (site / "causes" / f"{cause.name}.html").read_text()
        assert all(f"<dt>{title}" in text for title in ("PyTorch", "TensorFlow")[: len(cause.fixes)]), cause.name
        assert f'href="../causes/{cause.name}.html"' in (site / "guide/checks.html").read_text(), cause.name
    checked = (site / "guide/checks.html").read_text()
    assert all(f'id="check-{name.replace("_", "-")}"' in checked for name in checks())


@pytest.mark.slow
def test_no_page_asks_for_anything_outside(site):
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > len(ops()) + len(causes())
    for page in pages:
        found = loads(page.read_text())
        assert any("furo.css" in url for url in found), page.name
        assert not [url for url in found if OUTSIDE.match(url)], page.name
    for sheet in site.rglob("*.css"):
        assert not [url for url in urls(sheet.read_text()) if OUTSIDE.match(url)], sheet.name
    for script in site.rglob("*.js"):
        code = re.sub(r"(?s)/\*.*?\*/", "", script.read_text()) if script.name != "searchindex.js" else ""
        found = set(re.findall(r"""["'`]((?:https?:)?//[\w.]+)""", code))
        assert found <= {"http://www.w3.org"}, script.name  # names of formats


@pytest.mark.parametrize(
    "page",
    [
        '<script async src="https://cdn.example/mathjax.js"></script>',
        '<link href="//fonts.example/css" rel="stylesheet">',
        "<style>@import 'https://fonts.example/css';</style>",
        '<div style="background: url(https://example.com/a.png)"></div>',
        '<img srcset="a.png 1x, https://example.com/b.png 2x">',
    ],
)
def test_a_page_that_asks_for_something_outside_is_noticed(page):
    assert [url for url in loads(page) if OUTSIDE.match(url)]


@pytest.mark.slow
def test_no_link_inside_the_site_is_dead(site):
    ids = {}
    for page in site.rglob("*.html"):
        for href in re.findall(r'href="([^"#?:]*)(#[^"]*)?"', page.read_text()):
            target = (page.parent / href[0]).resolve() if href[0] else page
            assert target.exists(), f"{page.relative_to(site)}: {href[0]}"
            if len(href[1]) > 1 and target.suffix == ".html":
                if target not in ids:
                    ids[target] = set(re.findall(r'\b(?:id|name)="([^"]+)"', target.read_text()))
                assert href[1][1:] in ids[target] | {"furo-main-content"}, f"{page.relative_to(site)}: {''.join(href)}"


@pytest.mark.slow
def test_options_keep_their_two_dashes(site):
    dashed = [page.name for page in site.rglob("*.html") if re.search("\N{EN DASH}[a-z]", page.read_text())]
    assert not dashed
    assert "--surrogate-of" in (site / "causes/wrong_sign.html").read_text()


@pytest.mark.slow
def test_the_search_finds_ops_causes_and_words(site):
    index = (site / "searchindex.js").read_text()
    for name in ("ops/activation/swish", "causes/wrong_sign", "guide/porting", "reference"):
        assert f'"{name}"' in index
    assert '"surrog"' in index or '"surrogate"' in index
    assert "searchindex.js" in (site / "search.html").read_text()


@pytest.mark.slow
def test_a_name_that_leads_nowhere_breaks_the_build(tmp_path):
    docs = checkout(tmp_path / "wrong")
    shutil.copytree(DOCS / "_ext", docs / "_ext")
    shutil.copytree(DOCS / "_static", docs / "_static")
    shutil.copy(DOCS / "conf.py", docs)
    (docs / "ops/activation").mkdir(parents=True)
    (docs / "causes").mkdir()
    (docs / "guide").mkdir()
    page = (DOCS / "ops/activation/swish.md").read_text()
    (docs / "ops/activation/swisch.md").write_text(page)
    (docs / "guide/checks.md").write_text(
        "# Checks\n\n| check | what |\n|---|---|\n| `vjpp` | x |\n\n| cause | what |\n|---|---|\n| `wrong_sin` | x |\n"
    )
    (docs / "index.md").write_text(
        "# All wrong\n\n`porting.Pear`, `tf_impl.layerz`, [op](ops/activation/swich.md), [file](../porting/no.py)\n\n"
        "```{eval-rst}\n.. autoclass:: porting.Peer\n```\n\n```{toctree}\nops/activation/swisch\nguide/checks\n```\n"
    )
    run = sphinx(docs, tmp_path / "out")
    assert run.returncode == 1
    for said in (
        "there is no porting.Pear", "there is no tf_impl.layerz", "ops/activation/swich.md", "../porting/no.py",
        "Peer", "ops/activation/swisch is the page of no op", "no check is called vjpp", "no cause is called wrong_sin",
    ):  # fmt: skip
        assert said in run.stderr


def words(text):
    """Return the names and numbers of a formula in their order, one after the other."""
    greek = {chr(code): name for name, code in name2codepoint.items() if name in GREEK}
    return re.sub(r"[\W_]|sqrt", "", "".join(greek.get(letter, letter) for letter in text)).replace("inf", "")


GREEK = {"alpha", "beta", "gamma", "epsilon", "pi", "sigma", "tau"}


@pytest.mark.parametrize("op", ops().values(), ids=lambda op: op.name)
def test_no_letter_of_a_formula_is_lost(extension, op):
    text = (DOCS / "ops" / op.family / f"{op.name}.md").read_text()
    formula = re.search(r"(?ms)^```text\n(.*?)^```", text)[1]
    rows = extension("formula").rows(formula, {*op.inputs, *op.statics})
    shown = "".join(part for row in rows for part in row)
    assert words(unescape(re.sub(r"<[^>]*>", "", shown))) == words(formula)
    assert shown.count("<mfrac>") == formula.count("/")
    assert shown.count("<msqrt>") == formula.count("sqrt(")


@pytest.mark.parametrize("text", ["y = (x", "y = x)", "y = |x", "y = x[k"])
def test_a_formula_with_a_bracket_too_many_is_refused(extension, text):
    formula = extension("formula")
    with pytest.raises(formula.FormulaError):
        list(formula.rows(text, {"x"}))


def test_commands_of_the_ci_page_are_understood():
    import yaml

    text = (DOCS / "ci.md").read_text()
    blocks = re.findall(r"(?ms)^```yaml\n(.*?)^```", text)
    assert len(blocks) == 4
    assert all(yaml.safe_load(block) for block in blocks)
    commands = re.findall(r"\bporting (?=check )(.*)$", "\n".join(blocks), re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        assert parser().parse_args(shlex.split(command)).run.__module__ == "porting.cli.check"


def matrix_of(extension, results):
    from porting.parity.report import Report

    return extension("matrix").table(Report(tuple(results), environment={"NumPy": "2"}), "ops/{family}/{name}.html")


def test_the_matrix_shows_the_worst_verdict_of_each_cell(extension):
    from porting.parity.finding import Result

    def result(check, status, dtype="float32", op="swish"):
        return Result(op, check, "torch", "cpu", "eager", dtype, 0, status)

    agree = [result(name, "agree") for name in ("value", "vjp", "linear")]
    cells = {
        "agrees": agree,
        "differs": [*agree, result("kinks", "differ"), result("finite", "known")],
        "accepted difference": [*agree, result("kinks", "known")],
        "no verdict": [*agree, result("value", "no verdict")],
    }
    for word, results in cells.items():
        text = matrix_of(extension, [*results, result("value", "agree", "float64", "mine")])
        assert f'title="{word}"' in text, word
        assert text.count("<td") == 4
        assert text.count('title="not compared"') == 2
    assert 'href="ops/activation/swish.html"' in text
    assert ">mine</th>" in text


@pytest.mark.parametrize("text", [None, "{", "[]", '{"schema": 3}'])
def test_a_result_that_is_none_is_refused_by_name(extension, tmp_path, text):
    matrix, file = extension("matrix"), tmp_path / "result.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(matrix.ResultError, match=r"matrix_result=.*result\.json: .*porting check --json"):
        matrix.result(str(file))
