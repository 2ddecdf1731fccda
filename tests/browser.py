"""A real browser for tests of pages: Debian's chromium, driven by playwright, which asks the network for nothing."""

from contextlib import contextmanager
from importlib.util import find_spec
from shutil import which

import pytest

_BROWSER = which("chromium")
in_a_browser = [
    pytest.mark.slow,
    pytest.mark.skipif(not (_BROWSER and find_spec("playwright")), reason="chromium or playwright is not there"),
]
_OFFLINE = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


@contextmanager
def launched():
    """Start the browser, and close it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_BROWSER, args=_OFFLINE)
        yield browser
        browser.close()


def listened_to(page, *ours):
    """Return a page; what its console says, what it throws and what it asks for that is not `ours` is its `said`."""
    page.said = []
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.on("request", lambda asked: asked.url.startswith(ours) or page.said.append(asked.url))
    return page
