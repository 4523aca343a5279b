"""The command, for tests that compare with it; and the sum of the tests in cargo's words, so that one script adds up all languages."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")


@pytest.fixture(scope="session")
def command() -> str:
    """The path of `samplez` as cargo built it."""
    built = [path for name in ("debug", "release") if (path := TARGET / name / "samplez").exists()]
    if not built:
        pytest.skip("the command is not built here")
    return str(built[0])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
    count = {kind: len(terminalreporter.stats.get(kind, [])) for kind in ("passed", "failed", "error", "skipped")}
    failed = count["failed"] + count["error"]
    verdict = "ok" if exitstatus == 0 else "FAILED"
    terminalreporter.write_line(
        f"test result: {verdict}. {count['passed']} passed; {failed} failed; {count['skipped']} ignored; "
        "0 measured; 0 filtered out"
    )
