import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf
from common import SCALE, main
from tensorflow_privacy.privacy.dp_query.discrete_gaussian_utils import sample_discrete_gaussian


def gaussian(seed):
    """The seed is TensorFlow's global one."""
    if seed:
        tf.random.set_seed(seed)
    return lambda n: sample_discrete_gaussian(int(SCALE), (n,), tf.int64).numpy().tolist()


main(forks=False, gaussian=gaussian)
