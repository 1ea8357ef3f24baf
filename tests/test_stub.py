"""The stub of the core says what the compiled module has."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_stub_agrees_with_the_core():
    check = [sys.executable, "-m", "mypy.stubtest", "platterlab._core"]
    ran = subprocess.run(check, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
