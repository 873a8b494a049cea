#!/usr/bin/env python3
"""Checks that a type is found in the file of its name.

Wrong is: a type (struct, class, enum, protocol or actor at a file's top level) that other files use, or that is
`package` or `public`, in a file of another name; a file of extensions alone whose name is not `Type+Feature.swift`;
and a file that is replaced by other means than `FileReplacement`, whose temporary names are nobody else's.
A private type may lie anywhere, and so may an internal one that only its own file uses. `--self-test` shows that each
mistake is found.
"""
import collections
import os
import re

import checking

TYPES = "struct|class|enum|protocol|actor"
DECLARATION = re.compile(
    r"(?:@\w+(?:\([^)]*\))?\s+)*(?P<modifiers>(?:(?:public|package|internal|fileprivate|private|open|final|indirect|"
    rf"nonisolated)\s+)*)(?P<kind>{TYPES}|extension)\s+(?P<name>[\w.]+)")
# Texts of several lines, comments, and texts of one line, in the order in which one hides the others.
HIDDEN = re.compile(
    r'(#*)"""(?:.|\n)*?"""\1|//[^\n]*|/\*(?:.|\n)*?\*/|(#+)"(?:.|\n)*?"\2|"(?:\\\([^"\n]*(?:"[^"\n]*"[^"\n]*)*?\)|\\.|[^"\\\n])*"')

# Two tasks of a process must not share a temporary name, and what a crash leaves has to be swept.
REPLACEMENT = re.compile(r"options: \.atomic\b|-\\\(getpid\(\)\)|\\\(\w+\)\.(?:new|tmp|temp)\"|\+ \"\.(?:new|tmp|temp)\"")


class SourceFile:
    """The declarations at a file's top level, and the words of its code."""

    def __init__(self, path, text):
        self.path = path
        self.name = os.path.basename(path)[: -len(".swift")]
        self.replacements = [number for number, line in enumerate(text.splitlines(), 1)
                             if not line.lstrip().startswith("//") and REPLACEMENT.search(line)]
        code = HIDDEN.sub(lambda found: "\n" * found.group(0).count("\n"), text)
        self.words = collections.Counter(re.findall(r"\w+", code))
        self.types, self.extended = [], []
        depth = 0
        for number, line in enumerate(code.splitlines(), 1):
            found = DECLARATION.match(line) if depth == 0 else None
            if found and found["kind"] == "extension":
                self.extended.append(found["name"])
            elif found:
                access = next((one for one in ("public", "open", "package", "fileprivate", "private")
                               if one in found["modifiers"].split()), "internal")
                self.types.append((number, found["name"], access))
            depth += sum(line.count(one) for one in "{([") - sum(line.count(one) for one in "})]")


def read(root):
    """The source files of each target."""
    targets = collections.defaultdict(list)
    for folder, _, names in sorted(os.walk(os.path.join(root, "Sources"))):
        for name in sorted(names):
            if name.endswith(".swift"):
                path = os.path.relpath(os.path.join(folder, name), root)
                with open(os.path.join(root, path), encoding="utf-8") as file:
                    targets[path.split(os.sep)[1]].append(SourceFile(path, file.read()))
    return targets


def check_target(files):
    """Yields place and message of each mistake."""
    users = collections.Counter(word for file in files for word in file.words)
    for file in files:
        for number, name, access in file.types:
            if name == file.name or access in ("private", "fileprivate"):
                continue
            if access != "internal":
                yield f"{file.path}:{number}", f"{name} is {access} and belongs into {name}.swift"
            elif users[name] > 1:
                yield f"{file.path}:{number}", f"{name} is used by other files and belongs into {name}.swift"
        for number in file.replacements:
            yield f"{file.path}:{number}", "a temporary name of its own; replace files with FileReplacement"
        if file.extended and not any(access not in ("private", "fileprivate") for _, _, access in file.types):
            named = file.name.split("+")[0]
            if "+" not in file.name or not any(named in extended.split(".") for extended in file.extended):
                yield f"{file.path}:1", f"extends {file.extended[0]} and is not named {file.extended[0]}+Feature.swift"


def check(root):
    """The mistakes."""
    return [f"{place}: {message}" for files in read(root).values() for place, message in check_target(files)]


def self_test():
    cases = [
        ("own file", {"Frame.swift": "package struct Frame {}\n"}, None),
        ("extension of the same type", {"Frame.swift": "struct Frame {}\nextension Frame {}\n"}, None),
        ("another name", {"Packet.swift": "package final class Frame {}\n"}, "belongs into Frame.swift"),
        ("second type", {"Packet.swift": "struct Packet {}\n\npublic enum Frame {}\n"}, "belongs into Frame.swift"),
        ("used elsewhere", {"Packet.swift": "struct Packet {}\nstruct Frame {}\n", "Use.swift": "struct Use { let a: Frame }\n"},
         "Frame is used by other files"),
        ("named elsewhere in a comment",
         {"Packet.swift": "struct Packet {}\nstruct Frame {}\n", "Use.swift": "/// A Frame.\nstruct Use {}\n"}, None),
        ("only its file's", {"Packet.swift": "struct Packet {}\nstruct Frame {}\n"}, None),
        ("private", {"Packet.swift": "struct Packet {}\nprivate struct Frame {}\n", "Use.swift": "struct Use { let a: Frame }\n"}, None),
        ("nested", {"Packet.swift": "package struct Packet {\n    package struct Frame {}\n}\n"}, None),
        ("attributes", {"Packet.swift": "@unchecked @available(*, message: \"a\") package struct Frame {}\n"}, "Frame.swift"),
        ("text", {"Packet.swift": "struct Packet { let a = \"\"\"\n        {\n    \"\"\" }\npackage struct Frame {}\n"}, "Frame.swift"),
        ("brace in a text", {"Packet.swift": "struct Packet { let a = \"{\\(b(\"{\"))\" }\npackage struct Frame {}\n"}, "Frame.swift"),
        ("extension", {"Packet+Reading.swift": "extension Packet {}\nextension Int {}\n"}, None),
        ("extension of a nested type", {"Packet+Reading.swift": "extension Packet.Part {}\n"}, None),
        ("extension without a feature", {"Packet.swift": "extension Packet {}\n"}, "not named Packet+Feature.swift"),
        ("extension of another type", {"Frame+Reading.swift": "extension Packet {}\n"}, "not named Packet+Feature.swift"),
        ("atomic", {"Frame.swift": "struct Frame { func a() { try data.write(to: url, options: .atomic) } }\n"}, "FileReplacement"),
        ("process in a name", {"Frame.swift": "struct Frame { let a = \"\\(path).new-\\(getpid())\" }\n"}, "FileReplacement"),
        ("fixed name", {"Frame.swift": "struct Frame { let a = path + \".new\" }\n"}, "FileReplacement"),
        ("functions alone", {"Reading.swift": "func read() {}\n"}, None),
    ]
    folder = "Sources/Target/Folder"
    return checking.self_test_failures(
        [(label, {f"{folder}/{name}": text for name, text in contents.items()}, expected)
         for label, contents, expected in cases], check)


if __name__ == "__main__":
    checking.run("check-files", check, self_test)
