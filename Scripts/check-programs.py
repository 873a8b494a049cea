#!/usr/bin/env python3
"""Checks that every program that tests, scripts and benchmarks start by its name is in Scripts/programs.txt.

Looked at are the first words of commands in Python (`subprocess`, `shutil.which`, `os.exec…`), and the names that Swift
gives to `ExternalTool`, `BackgroundProgram` and `launcher`. Programs of virtual environments have paths. What this cannot
see, such as commands of shell scripts, has no place in the PATH that Scripts/run-tests.sh sets. Wrong is, too, a line of
the list that is malformed or names a program twice. `--self-test` shows that each mistake is found.
"""
import ast
import os
import re

import checking

LIST = "Scripts/programs.txt"
FOLDERS = ("Tests", "Scripts", "Benchmarks", "Fuzzing", "Examples")
PURPOSES = {"run", "test", "bench", "cert", "manual"}
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.+-]*")
STARTS = re.compile(r"(?:subprocess\.\w+|shutil\.which|os\.exec\w+)")
SWIFT = re.compile(r'(?:ExternalTool|BackgroundProgram)\(\s*"([^"\\]+)"|launcher\s*=\s*\[\s*"([^"\\=]+)"')


def listed(text):
    """The names of the programs, and what is wrong with the list."""
    names, findings = set(), []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split()
        if len(words) != 3 or not set(words[2].split(",")) <= PURPOSES:
            findings.append(f"{LIST}:{number}: a line is PROGRAM PACKAGE PURPOSE,…, with {', '.join(sorted(PURPOSES))}")
            continue
        if words[0] in names:
            findings.append(f"{LIST}:{number}: {words[0]} is named twice")
        names.add(words[0])
    return names, findings


def first_word(node):
    """The constant that a command begins with; None if it is computed."""
    if isinstance(node, (ast.List, ast.Tuple)) and node.elts:
        node = node.elts[0]
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def started_by_python(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and node.args and STARTS.fullmatch(ast.unparse(node.func)):
            word = first_word(node.args[0])
            if word and NAME.fullmatch(word):
                yield node.lineno, word


def started_by_swift(text):
    for found in SWIFT.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, found[1] or found[2]


def check(root):
    with open(os.path.join(root, LIST), encoding="utf-8") as file:
        names, findings = listed(file.read())
    for top in FOLDERS:
        for folder, folders, files in sorted(os.walk(os.path.join(root, top))):
            folders[:] = [name for name in folders if not name.startswith(".build")]
            for name in sorted(files):
                started = {".py": started_by_python, ".swift": started_by_swift}.get(os.path.splitext(name)[1])
                if started is None:
                    continue
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                findings += [
                    f"{os.path.relpath(path, root)}:{line}: {program} is not in {LIST}, which Scripts/setup.sh installs from"
                    for line, program in started(text) if program not in names]
    return findings


def self_test():
    names = "# program package for\nffmpeg ffmpeg test\n"
    def case(path, text, programs=names):
        return {LIST: programs, path: text}
    return checking.self_test_failures([
        ("listed", case("Tests/T.swift", 'try ExternalTool("ffmpeg").run([])'), None),
        ("computed", case("Tests/t.py", "import subprocess\nsubprocess.run([program, 'x'])"), None),
        ("a path", case("Tests/t.py", "import subprocess\nsubprocess.run(['/bin/false'])"), None),
        ("a tool", case("Tests/T.swift", 'try ExternalTool("curl").run([])'), "Tests/T.swift:1: curl"),
        ("a program", case("Tests/T.swift", 'try BackgroundProgram(\n    "curl", [])'), "Tests/T.swift:1: curl"),
        ("a launcher", case("Tests/T.swift", 'server.launcher = ["unshare", "sh"]'), "Tests/T.swift:1: unshare"),
        ("a command", case("Tests/t.py", "import subprocess\nsubprocess.run(['curl', 'x'])"), "Tests/t.py:2: curl"),
        ("a look-up", case("Benchmarks/b.py", "import shutil\nshutil.which('wrk')"), "Benchmarks/b.py:2: wrk"),
        ("malformed", case("Tests/T.swift", "", "ffmpeg ffmpeg\n"), "programs.txt:1: a line is"),
        ("unknown purpose", case("Tests/T.swift", "", "ffmpeg ffmpeg tests\n"), "programs.txt:1: a line is"),
        ("twice", case("Tests/T.swift", "", names + "ffmpeg ffmpeg run\n"), "programs.txt:3: ffmpeg is named twice"),
    ], check)


checking.run("check-programs.py", check, self_test)
