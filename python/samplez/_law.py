"""The law and the options, as the texts that the library reads."""

from __future__ import annotations

from typing import Any

from samplez._numbers import Number, exact_text


def law_texts(
    sigma: Number | None, center: Number, sigma_squared: Number | None, k_sigma2: Number | None, s: Number | None
) -> tuple[str, str, str]:
    """The form of the width, the width and the centre as texts."""
    forms = {"sigma": sigma, "sigma_squared": sigma_squared, "k_sigma2": k_sigma2, "s": s}
    given = {form: value for form, value in forms.items() if value is not None}
    if len(given) != 1:
        raise TypeError(f"the width must be given once, as one of {', '.join(forms)}; given: {', '.join(given) or 'none'}")
    ((form, width),) = given.items()
    return form, exact_text(form, width), exact_text("center", center)


def option_texts(options: dict[str, Any]) -> list[tuple[str, str]]:
    """Options as texts; those that are ``None`` are left out."""
    given = {name: value for name, value in options.items() if value is not None}
    return [
        (name, str(value).lower() if isinstance(value, bool) else str(value) if name == "setup_time" else exact_text(name, value))
        for name, value in given.items()
    ]
