import cv2
import numpy
from common import CENTER, SCALE, main


def normal(seed):
    if seed is not None:
        cv2.setRNGSeed(seed)
    return lambda n: cv2.randn(numpy.zeros(n, numpy.int32), CENTER, SCALE).ravel()


main(normal=normal)
