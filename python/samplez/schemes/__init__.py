"""Signatures and encryption on top of the samplers, for research, teaching and the reproduction of papers.

**Not for production.** The parameters are older than today's estimates of sieving (`sets` has them: about 2^104 for BLISS, 2^93 for LP11 with
n = 256, 2^65 for Regev's published sets). The encryptions withstand chosen plaintexts alone, and decryption fails now and then, silently.
From the cache traces of a BLISS signer keys have been recovered in practice (Flush, Gauss and Reload, CHES 2016: 450 signatures), and Python
cannot promise constant time. In production use ML-KEM, ML-DSA or FN-DSA.

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

- ``noise=``: a recipe's text whose law may be left out, such as ``"method=cdt-guided"``; a `samplez.DiscreteGaussian` of the law that
  the set demands; or ``None`` for the planner's constant-time or isochronous method, as precise as the set demands (see
  `noise`). A sampler whose certificate does not allow the samples of the set's lifetime is refused.
- ``source=``: the cryptographic generator on which the operation runs, by name. Others are refused.
- ``rng=``: its seed, as in `samplez.DiscreteGaussian.sample`: ``None`` for 32 bytes of the operating system; 32 bytes, or a str of 64
  hexadecimal digits; an int, a short seed, for results to reproduce; or a `samplez.Source` or `samplez.BitGenerator` over
  a cryptographic source, whose next 32 bytes are the seed. With one seed the same key, signature or ciphertext comes out in every
  language. **A seed must never serve two operations on secrets**: two signatures or two ciphertexts under one seed give away what they hide.

What is secret, and for how long: a key's memory is erased when the object goes. ``to_bytes()`` of a secret key, seeds and messages are
Python's own ``bytes``, which nobody erases. Secret keys show nothing of themselves and are not copied or pickled. The
interpreter's lock is released while an operation works. Nothing that Python itself does is constant in time.

Errors are `ValueError` and `TypeError` for arguments and for bytes that are no key or ciphertext, `InvalidSignature` for a signature that does not
verify, `OSError` if a source gives no random bits.
"""

from samplez._samplez import InvalidSignature
from samplez.schemes import bliss, lp11, regev
from samplez.schemes._noise import Noise, SetInfo, noise, sets

__all__ = ["InvalidSignature", "Noise", "SetInfo", "bliss", "lp11", "noise", "regev", "sets"]
