"""The noise of SQL engines: ClickHouse's own, else Box and Muller's normal variable. Then how often noise is drawn that a query mentions twice."""

from common import main

FROM = {"chdb": "numbers({})", "duckdb": "range({})", "datafusion": "range({})", "sqlite": "(WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t LIMIT {}) SELECT i FROM t)"}


def engine(name):
    """A function from a query with one column to its values."""
    if name == "chdb":
        import chdb

        return lambda text: [float(x) for x in str(chdb.query(text, "CSV")).split()]
    if name == "datafusion":
        import datafusion

        context = datafusion.SessionContext()
        return lambda text: [next(iter(row.values())) for row in context.sql(text).to_pylist()]
    connection = __import__("duckdb" if name == "duckdb" else "sqlite3").connect(":memory:")
    return lambda text: [row[0] for row in connection.execute(text).fetchall()]


def noise(name, expression):
    def make(seed):
        run = engine(name)
        twice = {
            "expression": f"SELECT {expression} - ({expression}) AS d FROM {FROM[name]}",
            "column": f"SELECT abs(x + 1) - abs(x + 1.0) AS d FROM (SELECT {expression} AS x FROM {FROM[name]}) AS t",
            "subquery": f"WITH c AS (SELECT {expression} AS x FROM {FROM[name].format(1)}) SELECT (SELECT x FROM c) - (SELECT x FROM c) AS d FROM {FROM[name]}",
        }
        print("column", ", ".join(f"{kind} {'once' if not any(run(query.format(100))) else 'anew'}" for kind, query in twice.items()))
        return lambda n: [round(x) for x in run(f"SELECT {expression} AS x FROM {FROM[name].format(n)}")]

    return make


polar = "sqrt(-2 * ln(1 - {0})) * cos(2 * pi() * {0})"
main(
    forks=False,
    normal=noise("chdb", "randNormal(0, 1)"),
    poisson=noise("chdb", "toInt64(randPoisson(5, 1)) - toInt64(randPoisson(5, 2))"),
    binomial=noise("chdb", "toInt64(randBinomial(20, 0.5)) - 10"),
    duckdb=noise("duckdb", polar.format("random()")),
    datafusion=noise("datafusion", polar.format("random()")),
    sqlite=noise("sqlite", polar.format("((random() & 9007199254740991) / 9007199254740992.0)")),
)
