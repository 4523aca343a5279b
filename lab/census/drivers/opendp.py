import opendp.prelude as dp
from common import SCALE, main

dp.enable_features("contrib")


def noise(make, metric, **arguments):
    measure = make(dp.vector_domain(dp.atom_domain(T="i64")), metric, scale=SCALE, **arguments)
    return lambda seed: lambda n: measure([0] * n)


main(
    gaussian=noise(dp.m.make_gaussian, dp.l2_distance(T=float)),
    laplace=noise(dp.m.make_laplace, dp.l1_distance(T="i64")),
    geometric=noise(dp.m.make_geometric, dp.l1_distance(T="i64")),
)
