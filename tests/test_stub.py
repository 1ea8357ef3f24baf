"""The stub of the core says what the compiled module has."""

import os
import shutil
import subprocess
import sys

from conftest import ROOT


def test_the_stub_agrees_with_the_core(tmp_path):
    # Among the package's sources mypy would read all that the package imports.
    package = tmp_path / "platterlab"
    package.mkdir()
    (package / "__init__.pyi").touch()
    for stub in (ROOT / "python" / "platterlab").glob("*.pyi"):
        shutil.copy(stub, package)
    check = [sys.executable, "-m", "mypy.stubtest", "platterlab._core"]
    where = {**os.environ, "MYPYPATH": str(tmp_path)}
    ran = subprocess.run(check, cwd=tmp_path, env=where, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout
