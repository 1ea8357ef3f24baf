"""The browser that pages are opened in."""

import shutil

import pytest

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

needs_browser = pytest.mark.skipif(
    BROWSER is None, reason="no chromium to open a page in: apt install chromium"
)
