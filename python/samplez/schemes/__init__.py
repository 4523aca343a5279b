"""Signatures and encryption on top of the samplers, for research, teaching and the reproduction of papers.

**Not for production.** The parameters are older than today's estimates of sieving. `sets` has them: about 2^104 for
BLISS, 2^93 for LP11 with n = 256, 2^65 for Regev's published sets. The encryptions withstand chosen plaintexts alone,
and decryption fails now and then, silently. Keys have been recovered in practice from the cache traces of a BLISS
signer (Flush, Gauss and Reload, CHES 2016: 450 signatures). Python cannot promise constant time. In production use
ML-KEM, ML-DSA or FN-DSA.

>>> from samplez.schemes import InvalidSignature, bliss, lp11
>>> key = bliss.keygen("I")
>>> signature = key.sign(b"a text")
>>> key.public_key().verify(b"a text", signature)
>>> try:
...     key.public_key().verify(b"a test", signature)
... except InvalidSignature as error:
...     print(error)
the signature is none of this message under this key
>>> public, secret = lp11.keygen("ring-512")
>>> ciphertext = public.encrypt(b"another")
>>> len(ciphertext), len(secret.decrypt(ciphertext))
(1797, 7)

Any noise and any source, by arguments that every operation has in common:

- ``noise=``: the noise, in one of three forms. It is a recipe's text whose law may be left out, such as
  ``"method=cdt-guided"``, or a `samplez.DiscreteGaussian` of the law that the set requires. ``None`` (the default) is
  the planner's constant-time or isochronous method, as precise as the set requires (see `noise`). A sampler whose
  certificate does not allow the samples of the set's lifetime is refused.
- ``source=``: the cryptographic generator on which the operation runs, by name. Others are refused.
- ``rng=``: its seed, as in `samplez.DiscreteGaussian.sample`. ``None`` is 32 bytes of the operating system. A seed is
  32 bytes, or a str of 64 hexadecimal digits. An int is a short seed, for results to reproduce. A `samplez.Source` or
  `samplez.BitGenerator` over a cryptographic source gives its next 32 bytes as the seed. One seed gives the same key,
  signature or ciphertext in every language. **A seed must never serve two operations on secrets**: two signatures or
  two ciphertexts under one seed give away their secrets.

Secrets in memory: a key's memory is erased when the object goes. ``to_bytes()`` of a secret key, seeds and messages are
Python's own ``bytes``, which nobody erases. Secret keys show nothing of themselves and are not copied or pickled. The
interpreter's lock is released while an operation works. Nothing that Python itself does is constant in time.

Raises `ValueError` and `TypeError` for arguments and for bytes that are no key or ciphertext. Raises `InvalidSignature`
for a signature that does not verify, and `OSError` if a source gives no random bits.
"""

from samplez._samplez import InvalidSignature
from samplez.schemes import bliss, lp11, regev
from samplez.schemes._noise import SetInfo, noise, sets

__all__ = ["InvalidSignature", "SetInfo", "bliss", "lp11", "noise", "regev", "sets"]
