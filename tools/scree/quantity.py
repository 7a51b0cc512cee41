# SPDX-License-Identifier: BSD-3-Clause
"""Numbers with units: arrays that remember theirs, and "0.5 mm" as 0.0005."""
import math
import re

import numpy as np


class Array(np.ndarray):
    """An array of numpy with the attributes `unit` and `name`. Parts of it keep both; results of arithmetic are plain
    arrays, because their unit is another one."""

    def __new__(cls, values, unit="", name=""):
        made = np.asarray(values).view(cls)
        made.unit, made.name = unit, name
        return made

    def __array_finalize__(self, source):
        self.unit = getattr(source, "unit", "")
        self.name = getattr(source, "name", "")

    def __array_ufunc__(self, function, method, *inputs, out=None, **options):
        if out is not None:
            options["out"] = tuple(plain(one) for one in out)
        return getattr(function, method)(*(plain(one) for one in inputs), **options)

    def __repr__(self):
        return f"{np.ndarray.__repr__(self)[:-1]}, unit={self.unit!r})"

    @property
    def label(self):
        """Name and unit, as the axis of a plot wants them."""
        return f"{self.name} ({self.unit})" if self.unit else self.name


def plain(value):
    return value.view(np.ndarray) if isinstance(value, Array) else value


# The symbols of the program's own inputs (src/input/unit.c), in SI units.
SYMBOLS = {"m": 1.0, "g": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "rad": 1.0, "deg": math.pi / 180.0,
           "rev": 2.0 * math.pi, "rpm": 2.0 * math.pi / 60.0, "Hz": 1.0, "N": 1.0, "Pa": 1.0, "bar": 1e5,
           "J": 1.0, "W": 1.0, "%": 0.01, "1": 1.0}
WITHOUT_PREFIX = {"min", "h", "rad", "deg", "rev", "rpm", "bar", "%", "1"}
PREFIXES = {"G": 1e9, "M": 1e6, "k": 1e3, "c": 1e-2, "m": 1e-3, "u": 1e-6, "\u00b5": 1e-6, "\u03bc": 1e-6,
            "n": 1e-9}
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


def factor_of(symbol):
    if symbol in SYMBOLS:
        return SYMBOLS[symbol]
    prefix, rest = symbol[:1], symbol[1:]
    if prefix in PREFIXES and rest in SYMBOLS and rest not in WITHOUT_PREFIX:
        return PREFIXES[prefix] * SYMBOLS[rest]
    raise ValueError(f"unknown unit '{symbol}'")


def unit_factor(unit):
    """What a unit such as "kN s/m^2" is in SI units. Only the symbol right behind a stroke is below it."""
    factor = 1.0
    for stroke, symbol, power in re.findall(r"([/ *]*)([^\s/^*]+)(?:\^(-?\d))?", unit):
        exponent = int(power or 1) * (-1 if "/" in stroke else 1)
        factor *= factor_of(symbol) ** exponent
    return factor


def si(value):
    """A value of an input in SI units: 0.5, "0.5 mm", or a list of such; whatever is no number stays as it is."""
    if isinstance(value, (list, tuple)):
        return [si(one) for one in value]
    if not isinstance(value, str):
        return value
    number = NUMBER.match(value.strip())
    if number is None:
        return value
    unit = value.strip()[number.end():].strip()
    if re.fullmatch(r"\d+(:\d+)+", value.strip()):  # hours:minutes:seconds
        seconds = 0.0
        for part in value.strip().split(":"):
            seconds = 60.0 * seconds + float(part)
        return seconds
    try:
        return float(number.group()) * unit_factor(unit)
    except ValueError:
        return value
