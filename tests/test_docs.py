"""The reference says what the program does."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_reference_is_up_to_date():
    check = [sys.executable, ROOT / "docs" / "generate.py", "--check"]
    ran = subprocess.run(check, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
