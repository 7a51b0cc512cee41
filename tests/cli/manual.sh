#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The manual and the program say the same: tables of keys, names of cases and pictures, links.
# Usage: tests/cli/manual.sh SCREE
set -uo pipefail
repo=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/support/shell_test.sh
source "$repo/tests/support/shell_test.sh"

block "tables of keys (after a change: make manual)"
"$program" help --markdown > keys.md
diff -u "$repo/inputs/manual/keys.md" keys.md > messages
verdict "inputs/manual/keys.md is what scree help --markdown prints" $?

block "links between pages lead to files and headings"
/usr/bin/python3 - "$repo" > messages << 'END'
import os
import re
import subprocess
import sys

repo = sys.argv[1]
names = subprocess.run(["git", "-C", repo, "ls-files", "-co", "--exclude-standard", "*.md"],
                       capture_output=True, text=True).stdout.split()
if not names:  # not a clone
    names = [os.path.relpath(os.path.join(folder, name), repo)
             for folder, _, files in os.walk(repo) for name in files if name.endswith(".md")]


def text_of(path):
    return re.sub(r"```.*?```", "", open(path, encoding="utf-8").read(), flags=re.S)


def anchors(path):
    found = []
    for line in text_of(path).splitlines():
        if line.startswith("#"):
            word = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower()).replace(" ", "-")
            found.append(word if word not in found else f"{word}-{found.count(word)}")
    return found


wrong = 0
for name in names:
    path = os.path.join(repo, name)
    if not os.path.exists(path):
        continue
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(path)):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        there = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
        if not os.path.exists(there) or (anchor and anchor not in anchors(there)):
            print(f"{name}: no {target}")
            wrong += 1
sys.exit(wrong > 0)
END
verdict "every link" $?

summary
