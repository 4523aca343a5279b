"""Messages, keys, signatures and ciphertexts, which are bytes."""

from __future__ import annotations

from typing import TypeAlias, Union

Octets: TypeAlias = Union[bytes, bytearray, memoryview]
"""Bytes."""


def octets(argument: str, value: object) -> bytes:
    """The bytes; `TypeError` for anything else, for a text too."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    hint = "; encode the text" if isinstance(value, str) else ""
    raise TypeError(f"{argument}: expected bytes, not {type(value).__name__}{hint}")
