"""What every Python driver shares: see census.py. A maker takes the seed, or None, and returns a function from a count to integers."""

import os
import signal
import sys
import time


def main(**makers):
    call, count, path, seed = sys.argv[1:]
    draw = makers[call](int(seed) if seed else None)
    list(draw(10))
    begin = time.process_time()
    integers = list(draw(int(count)))
    print("seconds", time.process_time() - begin)
    kind = type(integers[0])
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__.split('.')[0]}.{kind.__name__}"
    print("type", name if all(x == int(x) for x in integers) else f"{name} with fractions, rounded here")
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f"{int(x) if x == int(x) else round(x)}\n" for x in integers)
    if int(count) <= 1000:
        return
    here, there = os.pipe()
    if (child := os.fork()) == 0:
        signal.alarm(8)
        os.write(there, repr([int(x) for x in draw(16)]).encode())
        os._exit(0)
    os.close(there)
    os.waitpid(child, 0)
    theirs, mine = os.read(here, 4096).decode(), repr([int(x) for x in draw(16)])
    print("fork", "repeats" if theirs == mine else "differs" if theirs else "hangs")
