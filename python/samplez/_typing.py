"""Names of `typing` from Python 3.11 on; at run time too, so that `typing.get_type_hints` finds them."""

import sys

if sys.version_info >= (3, 11):
    from typing import Self, Unpack
else:
    from typing_extensions import Self, Unpack

__all__ = ["Self", "Unpack"]
