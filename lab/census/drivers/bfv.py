import random

from advanced_bfv import AdvancedBFVCore, AdvancedBFVParams
from common import main


def gaussian(seed):
    random.seed(seed)
    parameters = AdvancedBFVParams(std=1.0)
    core = AdvancedBFVCore(parameters)

    def draw(n):
        drawn = [x for _ in range(-(-n // parameters.n)) for x in core.sample_gaussian()]
        return [x - parameters.q if x > parameters.q // 2 else x for x in drawn[:n]]

    return draw


main(gaussian=gaussian)
