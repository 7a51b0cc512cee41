#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The pages and the program say the same: tables of keys, links, names of cases and of source files.
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

block "every case of inputs/ is in the gallery"
for folder in "$repo"/inputs/*/; do
    name=$(basename "$folder")
    case $name in bench | manual | pictures) continue ;; esac
    echo "$name" > messages
    grep -q "pictures/$name.png" "$repo/inputs/README.md" && [ -s "$repo/inputs/pictures/$name.png" ]
    verdict "$name has a picture" $?
done

block "pages of the folders of src/ name their files"
/usr/bin/python3 - "$repo" > messages << 'END'
import fnmatch
import glob
import os
import re
import sys

repo = sys.argv[1]
wrong = 0


def complain(page, what):
    global wrong
    print(f"{os.path.relpath(page, repo)}: {what}")
    wrong += 1


def is_there(name, folder):
    """Names without a folder are of the page's own, or headers and lists that all may include."""
    places = [os.path.join(folder, name)]
    if "/" in name:
        places += [os.path.join(repo, name), os.path.join(repo, "src", name)]
    elif not name.endswith(".c"):
        places += [os.path.join(repo, "include/scree", name)]
    if folder == os.path.join(repo, "src"):  # the page of all folders
        places += [os.path.join(folder, "*", name)]
    return any(glob.glob(place) for place in places)


for folder in [os.path.join(repo, "src")] + sorted(glob.glob(os.path.join(repo, "src/*/"))):
    folder = folder.rstrip("/")
    page = os.path.join(folder, "README.md")
    if not os.path.exists(page):
        complain(page, "missing")
        continue
    named = re.findall(r"`([\w*./-]+\.(?:c|h|def))`", open(page, encoding="utf-8").read())
    for name in sorted(set(named)):
        if not is_there(name, folder):
            complain(page, f"there is no {name}")
    for path in sorted(glob.glob(os.path.join(folder, "*.c"))):
        if not any(fnmatch.fnmatch(os.path.basename(path), name) for name in named):
            complain(page, f"{os.path.basename(path)} is not named")
sys.exit(wrong > 0)
END
verdict "every .c file is named, no other file" $?

block "examples of the manual pass scree check"
/usr/bin/python3 - "$repo" "$program" > messages << 'END'
import glob
import os
import re
import subprocess
import sys

repo, program = sys.argv[1:]
names = ["glass", "steel", "smooth", "rubber"]  # nodes of membranes, rubber, do not touch each other
pairs = [(a, b) for k, a in enumerate(names) for b in names[k:] if (a, b) != ("rubber", "rubber")]
USUAL = {  # what an example does not say
    "time": "time: {step: 1 us, steps: 100}\n",
    "domain": "domain: {low: [-60 mm, -60 mm, 0], high: [60 mm, 60 mm, 90 mm]}\n",
    "materials": "materials:\n" + "".join(f"  {name}: {{density: 2500}}\n" for name in names),
    "contacts": "contacts:\n" + "".join(
        f"  - between: [{a}, {b}]\n"
        "    normal: {law: linear, stiffness: 1 kN/m, restitution: 0.5}\n"
        "    tangential: {law: spring, stiffness: 300 N/m, friction: 0.5}\n" for a, b in pairs),
    "boundaries": "boundaries:\n"
                  "  floor: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 0, 1]}\n"
                  "  top: {shape: plane, material: glass, point: [0, 0, 90 mm], normal: [0, 0, -1]}\n",
    "particles": "particles:\n  - random: {count: 5, material: glass, radius: 0.5 mm}\n",
}


def sections(text):
    """By key of the top level; the first line must have one."""
    parts = re.split(r"^(?=\w+:)", text, flags=re.M)
    return {part.split(":")[0]: part for part in parts if part.strip()}


wrong = n = 0
pages = sorted(glob.glob(os.path.join(repo, "inputs/manual/*.md")))
pages.append(os.path.join(repo, "jobscripts/README.md"))
for page in [os.path.join(repo, "README.md"), os.path.join(repo, "inputs/README.md")] + pages:
    for example in re.findall(r"```yaml\n(.*?)```", open(page, encoding="utf-8").read(), flags=re.S):
        own = sections(example)
        usual = dict(USUAL)
        if "stages" in own:  # these end the run
            usual["time"] = "time: {step: 1 us}\n"
        if "cell:" in example:  # walls have no place in such a box
            del usual["boundaries"]
        if "domain" not in own and "boundaries" in usual:  # sides of the usual one
            usual["boundaries"] += "".join(
                f"  side{k}: {{shape: plane, material: glass, point: [{p}], normal: [{n}]}}\n"
                for k, (p, n) in enumerate([("-60 mm, 0, 0", "1, 0, 0"), ("60 mm, 0, 0", "-1, 0, 0"),
                                            ("0, -60 mm, 0", "0, 1, 0"), ("0, 60 mm, 0", "0, -1, 0")]))
        if "dimension: 2" in example:
            usual["materials"] = usual["materials"].replace("2500", "2")
        run = subprocess.run([program, "check", "-"], input="".join({**usual, **own}.values()),
                             capture_output=True, text=True)
        n += 1
        if run.returncode != 0:
            wrong += 1
            print(f"{os.path.relpath(page, repo)}: {example.splitlines()[0]} ...\n{run.stderr}")
print(f"{n} examples")
sys.exit(wrong > 0 or n < 10)
END
verdict "every example" $?
summary
