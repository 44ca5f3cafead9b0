"""A heatmap of correlations as SVG, with its numbers in the cells."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

__all__ = ["heatmap_svg"]

_CELL, _SIDE = 46, 84


def heatmap_svg(labels: Sequence[str], values: Sequence[Sequence[float]], title: str) -> str:
    """Blue for positive correlations, orange for negative ones; readable without colours."""
    size = _SIDE + _CELL * len(labels)
    parts = [f'<rect width="{size + 8}" height="{size + 8}" fill="#ffffff"/>']
    for i, label in enumerate(labels):
        middle = _SIDE + _CELL * i + _CELL / 2
        name = escape(label)
        parts.append(f'<text x="{_SIDE - 8}" y="{middle + 4}" text-anchor="end">{name}</text>')
        parts.append(f'<text x="{middle}" y="{_SIDE - 8}" text-anchor="middle">{name}</text>')
        for j, value in enumerate(values[i]):
            x, y = _SIDE + _CELL * j, _SIDE + _CELL * i
            colour = "15, 133, 147" if value >= 0 else "194, 98, 47"
            ink = "#ffffff" if abs(value) > 0.6 else "#1c2024"
            parts.append(
                f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" '
                f'fill="rgba({colour}, {abs(value):.2f})" stroke="#ffffff"/>'
                f'<text x="{x + _CELL / 2}" y="{y + _CELL / 2 + 4}" text-anchor="middle" '
                f'fill="{ink}">{value:.2f}</text>'
            )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size + 8}" height="{size + 8}" '
        f'viewBox="0 0 {size + 8} {size + 8}" role="img" aria-label="{escape(title)}" '
        'font-family="system-ui, sans-serif" font-size="12" fill="#1c2024">'
        f"{''.join(parts)}</svg>\n"
    )
