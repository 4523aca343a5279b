import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf
from common import SCALE, main
from tensorflow_privacy.privacy.dp_query.discrete_gaussian_utils import sample_discrete_gaussian
from tensorflow_privacy.privacy.dp_query.distributed_skellam_query import DistributedSkellamSumQuery


def gaussian(seed):
    """The seed is TensorFlow's global one."""
    if seed:
        tf.random.set_seed(seed)
    return lambda n: sample_discrete_gaussian(int(SCALE), (n,), tf.int64).numpy().tolist()


def skellam(seed):
    query = DistributedSkellamSumQuery(1, 1.0, SCALE)
    return lambda n: query.preprocess_record(query.derive_sample_params(query.initial_global_state()), tf.zeros(n, tf.int32)).numpy().tolist()


main(forks=False, gaussian=gaussian, skellam=skellam)
