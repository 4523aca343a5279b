"""Python's readers and writers: READER IN OUT."""

import array
import csv
import sys

reader, source, target = sys.argv[1:]
TYPE = {"narrow": "int8", "wide": "int64"}[source.split(".")[0]]


def numpy():
    import numpy

    numpy.save(target, numpy.load(source))


def memmap():
    import numpy

    numpy.memmap(source, dtype=TYPE, mode="r").tofile(target)


def pandas():
    import pandas

    pandas.read_csv(source).to_csv(target, index=False)


def polars():
    import polars

    polars.read_csv(source).write_csv(target)


def pyarrow():
    from pyarrow import csv

    csv.write_csv(csv.read_csv(source), target)


def duckdb():
    import duckdb

    duckdb.sql(f"COPY (SELECT * FROM read_csv('{source}')) TO '{target}' (HEADER)")


def sqlite():
    import sqlite3

    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE t (x INTEGER)")
    with open(source, encoding="ascii") as file:
        db.executemany("INSERT INTO t VALUES (?)", list(csv.reader(file))[1:])
    with open(target, "w", encoding="ascii") as file:
        csv.writer(file).writerows(db.execute("SELECT x FROM t"))


def stdlib():
    values = array.array({"int8": "b", "int64": "q"}[TYPE])
    with open(source, "rb") as file:
        values.frombytes(file.read())
    with open(target, "wb") as file:
        values.tofile(file)


globals()[reader]()
