"""The sum of the tests in cargo's words, so that one script adds up all languages."""

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
    count = {kind: len(terminalreporter.stats.get(kind, [])) for kind in ("passed", "failed", "error", "skipped")}
    failed = count["failed"] + count["error"]
    verdict = "ok" if exitstatus == 0 else "FAILED"
    terminalreporter.write_line(
        f"test result: {verdict}. {count['passed']} passed; {failed} failed; {count['skipped']} ignored; "
        "0 measured; 0 filtered out"
    )
