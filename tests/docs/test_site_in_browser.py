"""The site as a browser shows it: nothing is cut, nothing is asked for outside, and every text can be read."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from browser import in_a_browser, launched, listened_to

pytestmark = in_a_browser
PAGES = (
    "index", "start", "ops/activation/swish", "ops/linalg/safe_eigh", "ops/bound/lower_bound", "matrix",
    "causes/wrong_sign", "guide/checks", "guide/traps/kink", "reference", "source/torch_impl/activation/swish.py",
)  # fmt: skip

# Whether the cells of a row share their top edge, or stand below each other.
ALIGNED = """() => {
  const rows = {};
  for (const cell of document.querySelectorAll(".trees .tree-torch, .trees .tree-tf")) {
    const role = [...cell.classList].find(name => name.startsWith("role-"));
    (rows[role] ||= []).push(cell.getBoundingClientRect());
  }
  return Object.values(rows).filter(row => row.length === 2).map(([torch, tf]) =>
    Math.abs(torch.top - tf.top) < 1 ? "beside" : tf.top >= torch.bottom ? "below" : "askew");
}"""

# The texts whose contrast with what is behind them is below what WCAG AA wants.
FAINT = """() => {
  const parts = color => (color.match(/[\\d.]+/g) || []).map(Number);
  const light = color => {
    const [r, g, b] = parts(color).slice(0, 3).map(c => c / 255)
      .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = node => {
    for (let at = node; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor, [, , , alpha = 1] = parts(color);
      if (parts(color).length && alpha > 0.9) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const faint = new Set();
  const walker = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement, style = getComputedStyle(node), box = node.getBoundingClientRect();
    const hidden = style.visibility === "hidden" || style.opacity === "0" || box.width < 2 || node.closest("svg");
    if (!walker.currentNode.textContent.trim() || hidden || !node.checkVisibility({ opacityProperty: true })) continue;
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const [a, b] = [light(style.color), light(behind(node))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < (large ? 3 : 4.5)) faint.add(`${node.className || node.tagName}: ${style.color}`);
  }
  return [...faint];
}"""


@pytest.fixture(scope="module")
def chromium():
    with launched() as browser:
        yield browser


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Say nothing of what is served."""


@pytest.fixture(scope="module")
def served(site):
    """Serve the site, as a host does; the search reads pages, which a browser allows no page of a folder."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def opened(chromium, served):
    """Open a page; what its console says, what it throws and what it asks for outside is on it as `said`."""

    def open_page(name, width=1280, scheme="light"):
        context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page = listened_to(context.new_page(), served, "data:")
        page.goto(f"{served}/{name.replace('?', '.html?') if '?' in name else f'{name}.html'}")
        return page

    yield open_page
    for context in chromium.contexts:
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 420])
def test_pages_are_whole_quiet_and_legible(opened, width, scheme):
    for name in PAGES:
        page = opened(name, width, scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} scrolls sideways"
        assert page.evaluate("(c => c.scrollWidth - c.clientWidth)(document.querySelector('.content'))") <= 0, name
        assert not page.evaluate(FAINT), name
        assert not page.said, name


@pytest.mark.parametrize(("width", "how"), [(1900, "beside"), (1280, "beside"), (800, "beside"), (420, "below")])
def test_sources_share_a_top_edge_or_stand_below_each_other(opened, width, how):
    for name in (page for page in PAGES if page.startswith("ops/")):
        rows = opened(name, width).evaluate(ALIGNED)
        assert len(rows) >= 3, name
        assert set(rows) == {how}, name


def test_faint_text_and_cells_askew_are_noticed(opened):
    page = opened("ops/activation/swish")
    page.add_style_tag(content="article p { color: #999; } .trees .tree-tf { margin-top: 9px; }")
    assert "P: rgb(153, 153, 153)" in page.evaluate(FAINT)
    assert set(page.evaluate(ALIGNED)) == {"askew"}


def test_formulas_and_pictures_are_seen(opened):
    page = opened("ops/activation/swish")
    sizes = page.evaluate(
        "[...document.querySelectorAll('.formula math, article img')].map(e => e.getBoundingClientRect().height)"
    )
    assert len(sizes) > 5
    assert min(sizes) > 8
    assert page.evaluate("document.querySelector('article img').naturalWidth") > 100


def test_the_search_finds_a_word(opened):
    page = opened("search?q=surrogate")
    for title in ("Check your own pair", "wrong_sign"):
        page.locator("#search-results a", has_text=title).first.wait_for(timeout=20_000)
    assert not page.said
