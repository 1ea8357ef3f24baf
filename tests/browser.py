"""The browser that pages are opened in."""

import os
import shutil

import pytest

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

# A machine of one's own may have none. Where every change is tested, its absence is an error.
needs_browser = pytest.mark.skipif(
    BROWSER is None and not os.environ.get("CI"),
    reason="no chromium to open a page in (apt install chromium); with CI set this is an error",
)
