#!/usr/bin/env python3
"""Checks that no initializer has more than 8 parameters of which more than 3 are optional.

So many parts that may be missing are a type that wants to be divided, a value that groups them, or properties that are
set later. `--self-test` shows that the mistake is found.
"""
import os
import re

import checking

MOST = 8
MOST_OPTIONAL = 3
INITIALIZER = re.compile(r"^ *(?:(?:public|package|internal|fileprivate|private|convenience|required|override|nonisolated) )*"
                         r"init[?!]?(?:<[^>\n]*>)?\(", re.M)


def parameters(text, start):
    """The parameters of a list that begins behind `start`."""
    found, current, depth = [], "", 0
    for place in range(start, len(text)):
        character = text[place]
        if character in "([{<":
            depth += 1
        elif character in ")]}" or character == ">" and text[place - 1] != "-":
            if depth == 0:
                break
            depth -= 1
        if character == "," and depth == 0:
            found.append(current)
            current = ""
        else:
            current += character
    return [one for one in found + [current] if ":" in one]


def is_optional(parameter):
    """Whether a parameter may be `nil`."""
    kind, _, default = parameter.partition("=")
    return kind.strip().endswith("?") or default.strip() == "nil"


def check(root):
    """The mistakes."""
    findings = []
    for folder, _, names in sorted(os.walk(os.path.join(root, "Sources"))):
        for name in sorted(names):
            if not name.endswith(".swift"):
                continue
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                text = re.sub(r"//[^\n]*", "", file.read())
            for found in INITIALIZER.finditer(text):
                listed = parameters(text, found.end())
                optional = sum(is_optional(one) for one in listed)
                if len(listed) > MOST and optional > MOST_OPTIONAL:
                    line = text.count("\n", 0, found.end()) + 1
                    findings.append(f"{os.path.relpath(path, root)}:{line}: an initializer has {len(listed)} parameters, "
                                    f"{optional} of them optional; divide the type, or group what belongs together")
    return findings


def self_test():
    def initializer(count, optional, rest=""):
        listed = [f"a{number}: Int?" for number in range(optional)] + [f"b{number}: (Int, Int)" for number in range(count - optional)]
        return f"struct Frame {{\n    package init({', '.join(listed)}{rest}) {{}}\n}}\n"

    cases = [
        ("few", initializer(8, 8), None), ("many that must be there", initializer(20, 3), None),
        ("too many", initializer(9, 4), "9 parameters, 4 of them optional"),
        ("a default", initializer(8, 3, ", c: Part? = nil"), "9 parameters, 4"),
        ("functions", initializer(8, 3, ", c: @escaping (Int?) -> Void"), None),
        ("a call", "struct Frame {\n    let a = Other.init(a: b, c: d)\n}\n", None),
    ]
    return checking.self_test_failures(
        [(label, {"Sources/Target/Frame.swift": text}, expected) for label, text, expected in cases], check)


if __name__ == "__main__":
    checking.run("check-parameters", check, self_test)
