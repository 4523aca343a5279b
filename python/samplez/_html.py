"""Small tables for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape


class Markup(str):
    """A text that is HTML already."""


def _cell(value: object) -> str:
    return value if isinstance(value, Markup) else escape(str(value))


def table(rows: Mapping[str, object]) -> str:
    """Names and values, one pair a row."""
    body = "".join(f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:left'>{_cell(value)}</td></tr>" for name, value in rows.items())
    return f"<table>{body}</table>"


def grid(header: Iterable[str], rows: Iterable[Iterable[object]], caption: str) -> str:
    """Rows of cells below a header."""
    top = "".join(f"<th style='text-align:left'>{escape(name)}</th>" for name in header)
    body = "".join("<tr>" + "".join(f"<td style='text-align:left'>{_cell(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><tr>{top}</tr>{body}</table>"


__all__ = ["Markup", "grid", "table"]
