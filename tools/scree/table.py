# SPDX-License-Identifier: BSD-3-Clause
"""Tables: series.csv, stages.csv and those of the measurements."""
import csv
import difflib
import io
import os
import re

import numpy as np

from .quantity import Array

HEAD = re.compile(r"(.*?)\s*\[([^\]]*)\]\Z")


def split_head(head):
    """"time [s]" -> ("time", "s")."""
    match = HEAD.match(head)
    return match.groups() if match else (head, "")


class Table:
    """Columns by name, with or without the unit: table["kinetic energy"] or table.kinetic_energy. A column is an array
    with `.unit`; columns of text are arrays of strings."""

    def __init__(self, heads, columns, name="", path=None):
        self.name, self.path = name, path
        self.columns = {}
        for head, values in zip(heads, columns):
            label, unit = split_head(head)
            self.columns[label] = Array(values, unit, label)

    def __len__(self):
        return len(next(iter(self.columns.values()))) if self.columns else 0

    def __iter__(self):
        return iter(self.columns)

    def __contains__(self, name):
        return self.find(name) is not None

    def find(self, name):
        label = split_head(name)[0]
        for known in self.columns:
            if known == label or known.replace(" ", "_") == label:
                return known
        return None

    def __getitem__(self, name):
        if isinstance(name, (slice, np.ndarray)):  # rows
            heads = [f"{label} [{column.unit}]" if column.unit else label
                     for label, column in self.columns.items()]
            return Table(heads, [column[name] for column in self.columns.values()], self.name, self.path)
        known = self.find(name)
        if known is None:
            close = difflib.get_close_matches(name, self.columns, n=1, cutoff=0.5)
            hint = f"; did you mean '{close[0]}'?" if close else f"; there are: {', '.join(self.columns)}"
            raise KeyError(f"{self.name}: no column '{name}'{hint}")
        return self.columns[known]

    def __getattr__(self, name):
        if name.startswith("_") or name == "columns":
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __dir__(self):
        return [*super().__dir__(), *(label.replace(" ", "_") for label in self.columns)]

    def __repr__(self):
        units = ", ".join(f"{label} [{column.unit}]" if column.unit else label
                          for label, column in self.columns.items())
        return f"<table {self.name}: {len(self)} rows of {units}>"


def read_numbers(text, n_columns):
    try:
        rows = np.loadtxt(io.StringIO(text), delimiter=",", ndmin=2)
    except ValueError:
        return None
    return list(rows.T) if rows.shape[1] == n_columns else None


def read_texts(text, n_columns):
    rows = [row for row in csv.reader(io.StringIO(text)) if len(row) == n_columns]
    columns = []
    for k in range(n_columns):
        column = [row[k] for row in rows]
        try:
            columns.append(np.array(column, dtype=float))
        except ValueError:
            columns.append(np.array(column))
    return columns


def read_table(path):
    """A table, also of a run that goes on: a last line that is not whole yet is left out."""
    with open(path, newline="", encoding="utf-8") as file:
        head, _, text = file.read().partition("\n")
    text = text[:text.rfind("\n") + 1]
    heads = next(csv.reader([head.strip()]), [])
    name = os.path.splitext(os.path.basename(path))[0]
    if not heads:
        raise ValueError(f"{path}: no head line")
    columns = read_numbers(text, len(heads)) if text else [np.zeros(0)] * len(heads)
    if columns is None:
        columns = read_texts(text, len(heads))
    return Table(heads, columns, name, path)
