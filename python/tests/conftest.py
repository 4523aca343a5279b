"""The command and the count of another thread, for tests that need them; the sum of the tests in cargo's words, so that one script adds up all languages."""

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")


@pytest.fixture(scope="session")
def command() -> str:
    """The path of `samplez` as cargo built it."""
    built = [path for name in ("debug", "release") if (path := TARGET / name / "samplez").exists()]
    if not built:
        pytest.skip(f"no samplez in {TARGET}/debug or {TARGET}/release: make test-python builds it, or cargo build -p samplez-cli")
    return str(built[0])


@pytest.fixture
def counted_during() -> Callable[[Callable[[], object]], int]:
    """How far another thread counts during one call, which should be above 100.

    A busy machine may not let the thread run during one call: there are up to 200. Threads of Python take turns only where one gives way,
    which the caller does inside the call alone.
    """

    def counted_during(call: Callable[[], object]) -> int:
        count, stop, counted = [0], threading.Event(), 0

        def work() -> None:
            while not stop.is_set():
                count[0] += 1
                time.sleep(0)

        thread, interval = threading.Thread(target=work), sys.getswitchinterval()
        sys.setswitchinterval(1000)
        thread.start()
        try:
            for _ in range(200):
                before = count[0]
                call()
                counted = count[0] - before
                if counted > 100:
                    break
        finally:
            sys.setswitchinterval(interval)
            stop.set()
            thread.join()
        return counted

    return counted_during


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
    count = {kind: len(terminalreporter.stats.get(kind, [])) for kind in ("passed", "failed", "error", "skipped")}
    failed = count["failed"] + count["error"]
    verdict = "ok" if exitstatus == 0 else "FAILED"
    terminalreporter.write_line(
        f"test result: {verdict}. {count['passed']} passed; {failed} failed; {count['skipped']} ignored; "
        "0 measured; 0 filtered out"
    )
