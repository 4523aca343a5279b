"""BLISS signatures [DDLL13], classic and BLISS-B [Duc14]; for research and teaching, see `samplez.schemes`.

>>> from samplez.schemes import bliss
>>> key = bliss.keygen("IV", profile="strongswan-sha3-512")
>>> signature = key.sign(b"a text", noise="method=cdt-guided", signer="plain")
>>> key.public_key().verify(b"a text", signature.to_bytes())

The paper leaves rounding, challenge and encoding open. A *profile* defines them. ``strongswan`` is confirmed by foreign
certificates with SHA-512. The same with another hash is ``strongswan-sha2-384``, ``-sha2-256``, ``-sha3-512``,
``-sha3-384`` or ``-sha3-256``. Nobody has confirmed ``sri`` and ``hila``, which have an encoding of our own. Keys and
signatures of one profile are none under another.

[DDLL13] L. Ducas, A. Durmus, T. Lepoint, V. Lyubashevsky: Lattice Signatures and Bimodal Gaussians.
[Duc14] L. Ducas: Accelerating BLISS: the geometry of ternary polynomials.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, Union

import numpy as np
import numpy.typing as npt

from samplez import _samplez
from samplez._numbers import mistyped, name_of
from samplez._random import Rng, secret_seed
from samplez._recipe import hides_unknown, suggests
from samplez._samplez import InvalidSignature
from samplez.schemes._noise import Noise, demanded, sampler_of
from samplez.schemes._octets import Octets, octets

if TYPE_CHECKING:
    from typing_extensions import Self

_NAMES = {"classic": "BLISS", "b": "BLISS-B"}


@suggests
def keygen(
    set: str, variant: str = "b", *, profile: str = "strongswan", rng: Rng = None, source: str = "chacha20"
) -> SigningKey:
    """Generates a signing key.

    `set` is ``"I"``, ``"II"``, ``"III"``, ``"IV"``, or ``"0"``, a toy that the profile ``hila`` alone has. `variant` is ``"b"`` or
    ``"classic"``: a key never signs by the other one.

    >>> key = bliss.keygen("I", "classic", rng=1)
    >>> public = key.public_key()
    >>> public.set, public.variant, public.profile
    ('I', 'classic', 'strongswan')
    >>> key.to_bytes() == bliss.keygen("I", "classic", rng=1).to_bytes()
    True
    """
    profile = name_of("profile", profile)
    key = _samplez.BlissSigningKey.generate(
        name_of("set", set), name_of("variant", variant), profile, name_of("source", source), secret_seed(rng)
    )
    return SigningKey._of(key, profile)


class SigningKey:
    """A signing key, from `keygen` or `from_bytes`. It is erased when it goes, shows nothing, and is not copied or pickled."""

    __slots__ = ("_key", "_profile")
    _key: _samplez.BlissSigningKey
    _profile: str

    @hides_unknown
    def __init__(self, *unnamed: object, **unknown: object) -> None:
        raise TypeError("a SigningKey comes from samplez.schemes.bliss.keygen, or from SigningKey.from_bytes")

    @classmethod
    def _of(cls, key: _samplez.BlissSigningKey, profile: str) -> Self:
        self = cls.__new__(cls)
        self._key, self._profile = key, profile
        return self

    @classmethod
    @suggests
    def from_bytes(cls, data: Octets, profile: str = "strongswan") -> Self:
        """The key with these bytes, of the set and the variant that they state. Raises `ValueError` for whatever is not the one encoding of
        a key under the profile.

        >>> key = bliss.keygen("II")
        >>> again = bliss.SigningKey.from_bytes(key.to_bytes())
        >>> again.public_key() == key.public_key()
        True
        """
        profile = name_of("profile", profile)
        return cls._of(_samplez.BlissSigningKey.from_bytes(profile, octets("data", data)), profile)

    @suggests
    def to_bytes(self) -> bytes:
        """The key's bytes, in DER under ``strongswan``. Nobody erases them."""
        return self._key.to_bytes(self._profile)

    @suggests
    def public_key(self) -> PublicKey:
        """The public key."""
        return PublicKey._of(self._key.public_key(), self._profile)

    @suggests
    def sign(
        self,
        message: Octets,
        *,
        signer: str = "isochronous",
        noise: Noise = None,
        rng: Rng = None,
        source: str = "chacha20",
    ) -> Signature:
        """Signs a message.

        `signer` is one of two, whose signatures have the same law and the same verifier:

        - ``"isochronous"``: the time reveals only the number of attempts and public data, if the same holds for the
          noise.
        - ``"plain"``: takes any noise, and is faster over most. Its timing can give away the key.

        See SECURITY.md for both. Under one seed their signatures differ as soon as an attempt is rejected.

        Raises `ValueError` for noise that the set does not allow, or whose timing is variable under the isochronous
        signer. Raises it also for a source that is not cryptographic.

        >>> key = bliss.keygen("I", rng=1)
        >>> a, b = (key.sign(b"a text", rng=2) for _ in range(2))
        >>> a == b, key.sign(b"a text", rng=2, signer="plain", noise="exact=true") == b
        (True, False)
        """
        data = octets("message", message)
        sampler = sampler_of(lambda recipe: demanded("bliss", self._key.set, recipe), noise)
        signature, attempts = self._key.sign(
            name_of("signer", signer), self._profile, sampler, data, name_of("source", source), secret_seed(rng)
        )
        return Signature._of(signature, self._profile, attempts)

    def __repr__(self) -> str:
        return f"<SigningKey of {_described(self)}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a SigningKey is not copied or pickled: if its bytes are to leave this process, say to_bytes()")


class PublicKey:
    """A public key: it verifies. Two are equal if they are the same key under the same profile."""

    __slots__ = ("_key", "_profile")
    _key: _samplez.BlissPublicKey
    _profile: str

    @hides_unknown
    def __init__(self, *unnamed: object, **unknown: object) -> None:
        raise TypeError("a PublicKey comes from SigningKey.public_key, or from PublicKey.from_bytes")

    @classmethod
    def _of(cls, key: _samplez.BlissPublicKey, profile: str) -> Self:
        self = cls.__new__(cls)
        self._key, self._profile = key, profile
        return self

    @classmethod
    @suggests
    def from_bytes(cls, data: Octets, profile: str = "strongswan") -> Self:
        """The key with these bytes, which under ``strongswan`` are a SubjectPublicKeyInfo in DER. Raises `ValueError`."""
        profile = name_of("profile", profile)
        return cls._of(_samplez.BlissPublicKey.from_bytes(profile, octets("data", data)), profile)

    @suggests
    def to_bytes(self) -> bytes:
        """The key's bytes."""
        return self._key.to_bytes(self._profile)

    @property
    def set(self) -> str:
        """The parameter set's name."""
        return self._key.set

    @property
    def variant(self) -> str:
        """``"classic"`` or ``"b"``: which signer the key was made for. They share the verifier."""
        return self._key.variant

    @property
    def profile(self) -> str:
        """The profile's name."""
        return self._profile

    @suggests
    def verify(self, message: Octets, signature: Signature | Octets) -> None:
        """Returns if `signature`, an object or its bytes, is one of the message under this key. Raises
        `InvalidSignature` if not, also for bytes that are no signature at all.

        >>> key = bliss.keygen("III")
        >>> key.public_key().verify(b"a text", key.sign(b"a text"))
        >>> key.public_key().verify(b"a text", b"no signature")
        Traceback (most recent call last):
        ...
        samplez.schemes.InvalidSignature: malformed signature: it ends too early
        """
        data = octets("message", message)
        if not isinstance(signature, Signature):
            given = octets("signature", signature)
            try:
                signature = Signature.from_bytes(given, self.set, self._profile)
            except ValueError as error:
                raise InvalidSignature(str(error)) from None
        elif signature._profile != self._profile:
            raise InvalidSignature(f"the signature is of profile {signature._profile}, the key of {self._profile}")
        self._key.verify(self._profile, data, signature._signature)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PublicKey) and (self._key, self._profile) == (other._key, other._profile)

    def __hash__(self) -> int:
        return hash((self.to_bytes(), self._profile))

    def __repr__(self) -> str:
        return f"<PublicKey of {_described(self)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(), self._profile)


class Signature:
    """A signature (z₁, z₂†, c), from `SigningKey.sign` or `from_bytes`. That it is one of some message is what `PublicKey.verify` finds out.

    >>> signature = bliss.keygen("I").sign(b"a text")
    >>> signature.z1.shape, signature.z2_compressed.shape, signature.challenge.shape
    ((512,), (512,), (23,))
    """

    __slots__ = ("_attempts", "_profile", "_signature")
    _signature: _samplez.BlissSignature
    _profile: str
    _attempts: int | None

    @hides_unknown
    def __init__(self, *unnamed: object, **unknown: object) -> None:
        raise TypeError("a Signature comes from SigningKey.sign, or from Signature.from_bytes")

    @classmethod
    def _of(cls, signature: _samplez.BlissSignature, profile: str, attempts: int | None) -> Self:
        self = cls.__new__(cls)
        self._signature, self._profile, self._attempts = signature, profile, attempts
        return self

    @classmethod
    @suggests
    def from_bytes(cls, data: Octets, set: str, profile: str = "strongswan") -> Self:
        """The signature with these bytes, which do not state their set under ``strongswan``. Raises `ValueError` for whatever is not the
        one encoding of a signature."""
        profile = name_of("profile", profile)
        return cls._of(_samplez.BlissSignature.from_bytes(profile, name_of("set", set), octets("data", data)), profile, None)

    @suggests
    def to_bytes(self) -> bytes:
        """The signature's bytes."""
        return self._signature.to_bytes(self._profile)

    __bytes__ = to_bytes

    @property
    def attempts(self) -> int | None:
        """How many attempts it took; ``None`` for one that was read. It depends on neither key nor message."""
        return self._attempts

    @property
    def z1(self) -> npt.NDArray[np.int16]:
        """z₁, the half that is sent in full."""
        return self._signature.z1()

    @property
    def z2_compressed(self) -> npt.NDArray[np.int16]:
        """z₂†, of which the lower bits are dropped."""
        return self._signature.z2_compressed()

    @property
    def challenge(self) -> npt.NDArray[np.uint16]:
        """The indices at which the challenge c is 1, in the profile's order."""
        return np.array(self._signature.challenge(), np.uint16)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Signature) and (self._signature, self._profile) == (other._signature, other._profile)

    def __hash__(self) -> int:
        return hash((self.to_bytes(), self._profile))

    def __repr__(self) -> str:
        return f"<Signature of set {self._signature.set}, profile {self._profile}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(), self._signature.set, self._profile)


class Certificate:
    """An X.509 certificate that holds a BLISS key and is signed by one, as strongSwan makes them.

    It checks names, key and signature. It does not check dates, extensions and whether the issuer may issue: this
    verifies a signature, and validates no path.

    >>> bliss.Certificate.from_der(b"no certificate")
    Traceback (most recent call last):
    ...
    ValueError: malformed certificate: it ends too early
    """

    __slots__ = ("_certificate",)
    _certificate: _samplez.BlissCertificate

    @hides_unknown
    def __init__(self, *unnamed: object, **unknown: object) -> None:
        raise TypeError("a Certificate comes from Certificate.from_der")

    @classmethod
    @suggests
    def from_der(cls, data: Octets) -> Self:
        """Reads a certificate. Raises `ValueError` unless it is DER throughout what is looked at, and key and signature algorithm are
        BLISS's."""
        self = cls.__new__(cls)
        self._certificate = _samplez.BlissCertificate.from_der(octets("data", data))
        return self

    @property
    def profile(self) -> str:
        """The profile of its own signature: ``strongswan``, or that with another hash."""
        return self._certificate.profile

    @property
    def issuer(self) -> bytes:
        """The issuer's name, in DER."""
        return self._certificate.issuer()

    @property
    def subject(self) -> bytes:
        """The subject's name, in DER."""
        return self._certificate.subject()

    @suggests
    def public_key(self, profile: str = "strongswan") -> PublicKey:
        """The subject's key, for signatures of this profile. The certificate does not specify their hash."""
        profile = name_of("profile", profile)
        if not profile.startswith("strongswan"):
            raise ValueError(f"profile = {profile}: a certificate's key is of strongswan, with any hash")
        key = PublicKey._of(self._certificate.public_key(), profile)
        key.to_bytes()  # refuses a profile that is none
        return key

    @suggests
    def verify(self, issuer: Certificate) -> None:
        """Returns if it is signed by the key of that certificate, under its name; raises `InvalidSignature` if not."""
        if not isinstance(issuer, Certificate):
            raise mistyped("issuer", issuer, "a Certificate")
        if self.issuer != issuer.subject:
            raise InvalidSignature("the certificate names another issuer")
        try:
            self._certificate.verify(issuer._certificate)
        except ValueError as error:
            raise InvalidSignature(str(error)) from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Certificate) and self._certificate == other._certificate

    def __hash__(self) -> int:
        return hash(self._certificate.signed())


def _described(key: Union[SigningKey, PublicKey]) -> str:
    return f"{_NAMES[key._key.variant]} {key._key.set}, profile {key._profile}"


__all__ = ["Certificate", "PublicKey", "Signature", "SigningKey", "keygen"]
