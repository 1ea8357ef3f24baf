"""What a program prints on so many threads, of the core and of the linear algebra."""

import os
import subprocess
import sys
from pathlib import Path


def printed(program: str, argument: Path, threads: int) -> str:
    """The program's output, in a process of its own that can import the tests' modules."""
    surroundings = os.environ | {
        "RAYON_NUM_THREADS": str(threads),
        "OPENBLAS_NUM_THREADS": str(threads),
        "OMP_NUM_THREADS": str(threads),
        "PYTHONPATH": str(Path(__file__).parent),
    }
    line = [sys.executable, "-c", program, str(argument)]
    ran = subprocess.run(line, env=surroundings, capture_output=True, text=True, check=True)
    return ran.stdout
