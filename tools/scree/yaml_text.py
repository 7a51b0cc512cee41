# SPDX-License-Identifier: BSD-3-Clause
"""The YAML of inputs: reads what the program writes (effective.yaml) and inputs in the style of the manual, and
writes inputs. Anchors, tags and texts over several lines are not read."""
import json
import re

PLAIN = re.compile(r"[\w+\-./%^ \u00b5\u03bc]*\Z")


class YamlError(ValueError):
    pass


def strip_comment(line):
    """A stroke # begins a comment at the start of a line or behind a space, and not within quotes."""
    quote = None
    for k, letter in enumerate(line):
        if quote:
            quote = None if letter == quote and line[k - 1] != "\\" else quote
        elif letter in "\"'" and (k == 0 or line[k - 1] in " [{,:"):
            quote = letter
        elif letter == "#" and (k == 0 or line[k - 1] in " \t"):
            return line[:k].rstrip()
    return line.rstrip()


def depth_of(text):
    bare = re.sub(r'"(\\.|[^"\\])*"|\'[^\']*\'', "", text)
    return sum(bare.count(c) for c in "[{") - sum(bare.count(c) for c in "]}")


def logical_lines(text):
    """(indentation, content), with brackets that go on over lines joined and without comments."""
    lines, waiting = [], None
    for line in text.splitlines():
        line = strip_comment(line)
        if not line.strip() or (waiting is None and line.strip() in ("---", "...")):
            continue
        if waiting is None:
            waiting = [len(line) - len(line.lstrip()), line.strip()]
        else:
            waiting[1] += " " + line.strip()
        if depth_of(waiting[1]) <= 0:
            lines.append(tuple(waiting))
            waiting = None
    if waiting is not None:
        raise YamlError(f"a bracket is not closed: {waiting[1][:60]}")
    return lines


def scalar(text):
    text = text.strip()
    if text[:1] == '"':
        return json.loads(text)
    if text[:1] == "'":
        return text[1:-1].replace("''", "'")
    if text in ("true", "false"):
        return text == "true"
    if text in ("", "null", "~"):
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


class Flow:
    """[a, {b: c}]: a cursor over the text."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def skip(self):
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1

    def peek(self):
        self.skip()
        return self.text[self.at:self.at + 1]

    def word(self, stop):
        self.skip()
        start = self.at
        quoted = re.compile(r'"(\\.|[^"\\])*"|\'[^\']*\'').match(self.text, start)
        if quoted:
            self.at = quoted.end()
            return quoted.group()
        while self.at < len(self.text) and self.text[self.at] not in stop:
            if self.text[self.at] == ":" and self.text[self.at + 1:self.at + 2] in (" ", ""):
                break
            self.at += 1
        return self.text[start:self.at]

    def value(self):
        opening = self.peek()
        if opening == "[":
            return self.items("]", self.value)
        if opening == "{":
            return dict(self.items("}", self.pair))
        return scalar(self.word(",]}"))

    def pair(self):
        key = scalar(self.word(",]}"))
        if self.peek() != ":":
            return str(key), None
        self.at += 1
        return str(key), self.value()

    def items(self, closing, read):
        found = []
        self.at += 1
        while self.peek() != closing:
            if self.at >= len(self.text):
                raise YamlError(f"no {closing} in {self.text[:60]}")
            found.append(read())
            if self.peek() == ",":
                self.at += 1
        self.at += 1
        return found


def flow(text):
    return Flow(text).value() if text[:1] in "[{" else scalar(text)


KEY = re.compile(r"(\"(?:\\.|[^\"\\])*\"|[^\s\[\]{}\"'#][^#]*?):(?:\s+(.*))?\Z")


def block(lines, at, indent):
    if lines[at][1].startswith("- ") or lines[at][1] == "-":
        return sequence(lines, at, indent)
    if KEY.match(lines[at][1]) and lines[at][1][0] not in "[{":
        return mapping(lines, at, indent)
    return flow(lines[at][1]), at + 1


def mapping(lines, at, indent):
    found = {}
    while at < len(lines) and lines[at][0] == indent and not lines[at][1].startswith("- "):
        match = KEY.match(lines[at][1])
        if not match:
            raise YamlError(f"no key in: {lines[at][1][:60]}")
        key, rest = str(scalar(match.group(1))), match.group(2)
        at += 1
        if rest:
            found[key] = flow(rest)
        elif at < len(lines) and (lines[at][0] > indent or
                                  lines[at][0] == indent and lines[at][1].startswith("- ")):
            found[key], at = block(lines, at, lines[at][0])
        else:
            found[key] = None
    return found, at


def sequence(lines, at, indent):
    found = []
    while at < len(lines) and lines[at][0] == indent and lines[at][1][:2] in ("- ", "-"):
        rest = lines[at][1][1:]
        if rest.strip():  # what stands behind the dash begins a block of its own
            inner = indent + 1 + len(rest) - len(rest.lstrip())
            lines[at] = (inner, rest.strip())
            value, at = block(lines, at, inner)
        elif at + 1 < len(lines) and lines[at + 1][0] > indent:
            value, at = block(lines, at + 1, lines[at + 1][0])
        else:
            value, at = None, at + 1
        found.append(value)
    return found, at


def read(text):
    lines = logical_lines(text)
    if not lines:
        return {}
    value, at = block(lines, 0, lines[0][0])
    if at != len(lines):
        raise YamlError(f"cannot read: {lines[at][1][:60]}")
    return value


def write_scalar(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, str):
        safe = PLAIN.match(value) and value.strip() == value and isinstance(scalar(value), str)
        return value if safe and value[:1] not in "-%" else json.dumps(value, ensure_ascii=False)
    return repr(value.item() if hasattr(value, "item") else value)


def write_flow(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {write_flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, (list, tuple)) or hasattr(value, "tolist") and getattr(value, "ndim", 0):
        return "[" + ", ".join(write_flow(one) for one in value) + "]"
    return write_scalar(value)


def write(value, indent=""):
    """An input as text: the outer levels as blocks, short inner ones in brackets."""
    lines = []
    for key, one in value.items():
        short = write_flow(one)
        if isinstance(one, dict) and one and len(indent + key + short) > 90:
            lines += [f"{indent}{key}:", write(one, indent + "  ")]
        elif isinstance(one, list) and one and isinstance(one[0], dict):
            lines.append(f"{indent}{key}:")
            lines += [f"{indent}  - {write_flow(item)}" for item in one]
        else:
            lines.append(f"{indent}{key}: {short}")
    return "\n".join(lines) + ("" if indent else "\n")
