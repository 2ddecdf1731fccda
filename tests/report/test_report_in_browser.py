"""The page of a report in a browser: nothing is cut, nothing is asked for, links and keys lead where they say."""

import dataclasses

import pytest
from browser import in_a_browser, launched, listened_to
from samplereport import SENT, result

from porting.report.html.check import page as written

pytestmark = in_a_browser
LONG = "a_rather_long_name_of_an_op" * 3
REPORT = dataclasses.replace(SENT, results=(*SENT.results, result("agree", op=LONG, dtype="float64")))
FINDING = "article details article"  # one of those that are folded
WIDER = """[...document.querySelectorAll('body *')].filter(e => !e.closest('.box, pre, .unseen, .skip')
  && e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map(e => e.outerHTML.slice(0, 99))"""
COLUMNS = """[...document.querySelectorAll('.two')].filter(e => e.children.length == 2).map(e => {
  const [a, b] = [...e.children].map(e => e.getBoundingClientRect());
  return Math.abs(a.top - b.top) < 1 ? 'beside' : b.top >= a.bottom ? 'below' : 'askew';
})"""


@pytest.fixture(scope="module")
def chromium():
    with launched() as browser:
        yield browser


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(written(REPORT))
    return path


@pytest.fixture
def opened(chromium, file):
    """Open the page; what its console says, what it throws and what it asks for is on it as `said`."""

    def open_page(width=1280, scheme="light", anchor="", *, script=True):
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=script
        )
        page = listened_to(context.new_page(), file.as_uri())
        page.goto(f"{file.as_uri()}{anchor}")
        return page

    yield open_page
    for context in chromium.contexts:
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "how"), [(1280, "beside"), (420, "below")])
def test_it_is_whole_and_quiet(opened, width, how, scheme):
    page = opened(width, scheme)
    page.evaluate("for (const e of document.querySelectorAll('details')) e.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(WIDER) == []
    assert set(page.evaluate(COLUMNS)) == {how}
    assert page.evaluate("Math.min(...[...document.querySelectorAll('svg')].map(e => e.clientHeight))") > 150
    assert page.said == []


def test_a_link_opens_what_it_leads_to(opened):
    page = opened()
    folded = page.locator(FINDING).first
    assert not folded.is_visible()
    page.goto(f"{page.url}#{folded.get_attribute('id')}")
    assert folded.is_visible()
    check = opened(anchor="#op-swish.linear").locator("id=op-swish.linear")
    assert check.is_visible()
    assert check.locator("..").get_attribute("href") == "#op-swish.linear"


def test_the_keyboard_reaches_all_and_one_sees_where_it_is(opened):
    page = opened()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the results"
    assert page.evaluate("document.activeElement.getBoundingClientRect().left") > 0
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.tagName"))
        if "BODY" in reached:  # the end of the page
            break
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    assert {"A", "BUTTON", "SUMMARY", "DIV"} <= reached


def test_without_scripts_it_is_whole(opened):
    page = opened(script=False)
    assert page.locator("article").first.is_visible()
    page.locator("article summary").first.click()
    assert page.locator(FINDING).first.is_visible()
    assert page.locator("button").count() == 0
