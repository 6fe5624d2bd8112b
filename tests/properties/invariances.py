"""What does not change an answer, said once: ``docs/trust.md`` prints it, the properties try it.

Of a kernel K_XW, all else as it is: rows in another order, with Gamma in that order; columns in
another order or turned, with W turned alike; one vector added to every row; all rows times a, with
the bandwidth (or c) times a where the kernel has one.
"""

from __future__ import annotations

from dataclasses import dataclass

from hsiclearn.kernels import (
    Cauchy,
    Gaussian,
    InverseMultiquadratic,
    Linear,
    Multiquadratic,
    Polynomial,
    RationalQuadratic,
    RelativeGaussian,
    Squared,
)


@dataclass(frozen=True)
class Invariance:
    """Of a kernel: ``shift`` is whether one vector may be added to all rows.

    ``power`` p means that the cost of rows times a is ``a^p`` times that of the rows, so that the
    directions stay the same; None where nothing of the kind holds. The order of rows, the order of
    columns and rotations hold for all kernels: they see ``XW`` alone, and pairs of rows.
    """

    make: object
    shift: str
    power: int | None


ALWAYS, CENTRED, NEVER = "yes", "where Gamma is centred", "no"

INVARIANCES = {
    "Gaussian": Invariance(Gaussian, ALWAYS, 0),
    "Cauchy": Invariance(Cauchy, ALWAYS, 0),
    "RationalQuadratic": Invariance(RationalQuadratic, ALWAYS, 0),
    "InverseMultiquadratic": Invariance(InverseMultiquadratic, ALWAYS, -1),
    "Multiquadratic": Invariance(Multiquadratic, ALWAYS, 1),
    "RelativeGaussian": Invariance(lambda s: RelativeGaussian(3), ALWAYS, 0),
    "Squared": Invariance(lambda s: Squared(), ALWAYS, 2),
    "Linear": Invariance(lambda s: Linear(), CENTRED, 2),
    "Polynomial": Invariance(lambda s: Polynomial(2), NEVER, None),
}


def as_markdown():
    """The table of the documentation."""
    lines = [
        "| kernel | order of rows | order of columns | rotation | translation | scale |",
        "|---|---|---|---|---|---|",
    ]
    for name, known in INVARIANCES.items():
        scale = {None: "no", 0: "yes", 1: "times a"}.get(known.power, f"times a^{known.power}")
        lines.append(f"| `{name}` | yes | yes | yes | {known.shift} | {scale} |")
    return "\n".join(lines)
