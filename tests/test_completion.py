"""Shells complete commands and options."""

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_calls_the_program(run, shell):
    done = run("completion", shell)
    assert done.code == 0
    assert "_PLATTERLAB_COMPLETE" in done.out
    assert "platterlab" in done.out


def test_a_shell_that_is_not_known_is_refused(run):
    refused = run("completion", "tcsh")
    assert (refused.code, "bash, zsh, fish" in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "expected"),
    [(["sim"], "simulate"), (["trace", "con"], "convert"), (["simulate", "--prof"], "--profile")],
)
def test_what_a_shell_asks_is_answered(words, expected):
    asked = {
        "_PLATTERLAB_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(["platterlab", *words]),
        "COMP_CWORD": str(len(words)),
    }
    done = subprocess.run(
        [sys.executable, "-m", "platterlab"],
        env=os.environ | asked,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert expected in done.stdout.split()
