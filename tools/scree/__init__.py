# SPDX-License-Identifier: BSD-3-Clause
"""Results of scree in Python, and runs from Python.

    import scree                                   # with PYTHONPATH=tools
    run = scree.open("results-shear")
    run.series["kinetic energy"], run["stress"].pressure.unit, run.value("time.step")
    last = run.frames[-1]
    last.position, last.contacts.force, last.contacts.normal
    run.walls["lid"].force[:, 2]

    for run in scree.open("sweep"):                # a folder of runs
        print(run.name, run.report["contacts"])

    run = scree.run("inputs/shear-box/stages.yaml", "results-box", ranks=2, settings={"seed": 3})
"""
from .frames import Box, Contacts, Frame, Frames, read
from .launch import RunError, check, find_program, resume, run
from .quantity import Array, si
from .runs import Run, Sweep, open_results
from .table import Table, read_table
from .yaml_text import read as read_input, write as write_input

open = open_results  # pylint: disable=redefined-builtin

__all__ = ["Array", "Box", "Contacts", "Frame", "Frames", "Run", "RunError", "Sweep", "Table", "check",
           "find_program", "open", "read", "read_input", "read_table", "resume", "run", "si", "write_input"]
