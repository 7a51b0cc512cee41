# SPDX-License-Identifier: BSD-3-Clause
"""Starting runs through the program."""
import os
import shlex
import shutil
import subprocess

from . import yaml_text
from .runs import Run


class RunError(RuntimeError):
    """The program ended with an exit code other than 0: `code`, and what it `said`."""

    def __init__(self, code, said):
        super().__init__(f"scree ended with exit code {code}:\n{said.strip()}")
        self.code, self.said = code, said


def find_program(program=None):
    """`program`, else $SCREE, else the one that was built beside these tools, else the one on the path."""
    built = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/release/scree")
    for one in (program, os.environ.get("SCREE"), built, shutil.which("scree")):
        if one and os.path.exists(one):
            return os.path.abspath(one)
    raise FileNotFoundError("no program scree: build it with `make`, or set SCREE to where it is")


def command_of(words, ranks, program):
    """A single rank needs no mpirun."""
    start = [] if ranks == 1 else [*shlex.split(os.environ.get("MPIRUN", "mpirun --oversubscribe")),
                                   "-n", str(ranks)]
    return [*start, find_program(program), *words]


def call(words, ranks=1, program=None, text=None):
    """What the program prints; RunError if it does not end well. Containers run as root, which mpirun must be told."""
    environment = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", **os.environ}
    done = subprocess.run(command_of(words, ranks, program), input=text, text=True, env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        raise RunError(done.returncode, done.stdout)
    return done.stdout


def text_of(what):
    """An input as text: of a dictionary, of the name of a file, or a text already."""
    if isinstance(what, dict):
        return yaml_text.write(what)
    if "\n" not in what:
        with open(what, encoding="utf-8") as file:
            return file.read()
    return what


def options(settings):
    """{"time.steps": 500} -> --set time.steps=500"""
    words = []
    for key, value in (settings or {}).items():
        words += ["--set", f"{key}={yaml_text.write_flow(value)}"]
    return words


def run(what, out, ranks=1, settings=None, force=False, program=None):
    """Run an input (dictionary, text, or name of a file) into the folder `out` and return its results. `settings`
    changes entries, as --set does."""
    os.makedirs(os.path.dirname(os.path.abspath(out)), exist_ok=True)
    words = ["run", "-", "-o", out, "-q", *options(settings), *(["--force"] if force else [])]
    call(words, ranks, program, text_of(what))
    return Run(out)


def resume(folder, ranks=1, settings=None, program=None, change=False):
    """`change`: settings may change the physics."""
    call(["resume", folder, "-q", *options(settings), *(["--allow-change"] if change else [])], ranks, program)
    return Run(folder)


def check(what, settings=None, program=None):
    """What `scree check` says of an input; RunError with all mistakes if it is wrong."""
    return call(["check", "-", *options(settings)], 1, program, text_of(what))
