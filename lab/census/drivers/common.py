"""What every Python driver shares: see census.py. A maker takes the seed, or None, and returns a function from a count to integers."""

import os
import signal
import sys
import threading
import time

SCALE, CENTER = (float(os.environ.get(name, default)) for name, default in (("CENSUS_SCALE", "1"), ("CENSUS_CENTER", "0")))


def compared(name, here, there):
    print(name, ("repeat" if here == there else "differ") if there else "hangs")


def main(forks=True, clock=time.process_time, **makers):
    call, count, path, seed = sys.argv[1:]
    draw = makers[call](int(seed) if seed else None)
    list(draw(10))
    begin = clock()
    integers = list(draw(int(count)))
    print("seconds", clock() - begin)
    kind = type(integers[0])
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__.split('.')[0]}.{kind.__name__}"
    print("type", name if all(x == int(x) for x in integers) else f"{name} with fractions, rounded here")
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f"{int(x) if x == int(x) else round(x)}\n" for x in integers)
    if int(count) <= 1000 and not seed:
        drawn = [[], []]
        for mine in drawn:
            thread = threading.Thread(target=lambda mine=mine: mine.extend(int(x) for x in makers[call](None)(16)))
            thread.start()
            thread.join()
        compared("thread", *drawn)
    if forks and int(count) > 1000:
        here, there = os.pipe()
        if (child := os.fork()) == 0:
            signal.alarm(8)
            os.write(there, repr([int(x) for x in draw(16)]).encode())
            os._exit(0)
        os.close(there)
        os.waitpid(child, 0)
        theirs, mine = os.read(here, 4096).decode(), repr([int(x) for x in draw(16)])
        compared("fork", mine, theirs)
