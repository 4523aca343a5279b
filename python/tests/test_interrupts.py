"""Ctrl-C while a sampler is built."""

import os
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

import samplez


def is_set_up() -> bool:
    """Whether a thread of this process builds a sampler."""
    names = set()
    for task in Path("/proc/self/task").iterdir():
        with suppress(OSError):  # it has ended
            names.add((task / "comm").read_text().strip())
    return "samplez set-up" in names


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs the names of threads")
def test_ctrl_c_interrupts_the_set_up() -> None:
    """Of a table of 13 million thresholds, whose thread goes on for a second or more after the interrupt."""
    while is_set_up():
        time.sleep(0.001)

    ended = threading.Event()

    def interrupt() -> None:
        while not (is_set_up() or ended.is_set()):
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    interrupter = threading.Thread(target=interrupt)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt):
        interrupter.start()
        samplez.DiscreteGaussian(10**6, method="cdt")
        ended.set()
        interrupter.join()
    assert is_set_up(), "the call waited for its end"
    interrupter.join()
    signal.signal(signal.SIGINT, before)
