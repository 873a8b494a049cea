#!/usr/bin/env python3
"""Checks that the SQL of a table stays in the target that declares the table.

A statement that reads or writes a table of another target knows columns and rules that are not its own. The statements
that did when this check was written are counted in Scripts/foreign-tables.txt, a line for each file and table; the counts
may only shrink. The way out is to ask the owner: a method, or a part of a statement that the owner declares.

Tables are found by `SQLTable("name"`; a statement is a string literal with a verb of SQL, and reads or writes what stands
behind FROM, JOIN, INTO and UPDATE, or a call that inserts `into: Schema.table`. The lines of `references` in a table's
declaration are no statements. What a name that is put together hides is not seen.

`--print-list` prints today's list, `--self-test` shows that each mistake is found.
"""
import collections
import os
import re
import sys

import checking

LIST_FILE = "Scripts/foreign-tables.txt"
TABLE = re.compile(r"SQLTable\(\s*\"(\w+)\"")
DERIVED_TABLE = re.compile(r"CREATE (?:VIRTUAL )?TABLE (?:IF NOT EXISTS )?(\w+)")
LITERAL = re.compile(r'(?P<hashes>#*)"""\n(?P<lines>.*?)"""(?P=hashes)|"(?P<line>(?:\\.|[^"\\\n])*)"', re.DOTALL)
VERB = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|FROM|JOIN|EXISTS)\b")
# The first table of a list behind FROM, and those behind its commas.
PLACE = re.compile(r"\b(?:JOIN|INTO|UPDATE)\s+(\w+)|\bFROM\s+((?:\w+(?:\s+(?:AS\s+)?\w+)?\s*,\s*)*\w+)")
# Declarations with the type that they are in, and calls that insert a row.
TYPE = re.compile(r"^\s*(?:package )?(?:enum|extension|struct) (\w+)", re.MULTILINE)
VARIABLE = re.compile(r"static let (\w+)\s*= SQLTable\(\s*\"(\w+)\"")
CALL = re.compile(r"\binto: (\w+)\.(\w+)")
COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)


def sources(root):
    """Yields the target, the path and the text without comments of each Swift file."""
    folder = os.path.join(root, "Sources")
    for directory, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith(".swift"):
                path = os.path.join(directory, name)
                with open(path, encoding="utf-8") as file:
                    yield os.path.relpath(path, folder).split(os.sep)[0], os.path.relpath(path, root), \
                        COMMENT.sub("", file.read())


def owners(root):
    """The target that declares each table."""
    declared, derived = {}, {}
    for target, _, text in sources(root):
        declared.update((name, target) for name in TABLE.findall(text))
        for name in DERIVED_TABLE.findall(text):
            derived.setdefault(name, target)
    return derived | declared


def tables(statement):
    """The names behind FROM, JOIN, INTO and UPDATE."""
    names = set()
    for single, several in PLACE.findall(statement):
        names |= {single} if single else {part.split()[0] for part in several.split(",")}
    return names


def variables(root):
    """The table that a static variable declares: {(type, variable): table}."""
    found = {}
    for _, _, text in sources(root):
        for declaration in VARIABLE.finditer(text):
            types = TYPE.findall(text[:declaration.start()])
            if types:
                found[types[-1], declaration.group(1)] = declaration.group(2)
    return found


def foreign_uses(root):
    """How many statements of a file use a table of another target: {(path, table): count}."""
    owner, uses, variable = owners(root), collections.Counter(), variables(root)
    for target, path, text in sources(root):
        called = [variable[place] for place in CALL.findall(text) if place in variable]
        uses.update((path, name) for name in called if owner[name] != target)
        for found in LITERAL.finditer(text):
            statement = found.group("lines") or found.group("line") or ""
            if VERB.search(statement):
                uses.update((path, name) for name in tables(statement) if owner.get(name, target) != target)
    return uses


def listed_uses(root):
    uses = {}
    path = os.path.join(root, LIST_FILE)
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    name, table, count = line.split()
                    uses[name, table] = int(count)
    return uses


def check(root):
    findings, listed, found = [], listed_uses(root), foreign_uses(root)
    for (path, table), count in sorted(found.items()):
        allowed = listed.get((path, table), 0)
        if count > allowed:
            findings.append(f"{path}: {count} statements use the table {table} of {owners(root)[table]}, which {allowed} "
                            f"may; ask {owners(root)[table]} for what they need")
    for (path, table), allowed in sorted(listed.items()):
        if found[path, table] < allowed:
            findings.append(f"{LIST_FILE}: {path} uses {table} {found[path, table]} times; lower the line's {allowed}")
    return findings


def self_test():
    owner = 'enum Orchard {\n    static let table = SQLTable("fruit", [])\n}\n'
    other = "Sources/Other/Rows.swift"

    def files(text, listed=""):
        return {"Sources/Owner/Schema.swift": owner, other: text, LIST_FILE: listed}

    return checking.self_test_failures([
        ("the owner's own", {"Sources/Owner/Rows.swift": owner + 'let x = "SELECT a FROM fruit"\n'}, None),
        ("foreign", files('let x = "SELECT a FROM fruit WHERE a = 1"\n'), "1 statements use the table fruit of Owner"),
        ("join on several lines", files('let x = """\n    SELECT a FROM own\n    JOIN fruit ON 1\n    """\n'), "fruit"),
        ("second of a list", files('let x = "SELECT a FROM own o, fruit f WHERE 1"\n'), "fruit"),
        ("writing", files('let x = "UPDATE fruit SET a = 1"\n'), "fruit"),
        ("inserting", files('let x = try db.insert(["a": 1], into: Orchard.table)\n'), "fruit"),
        ("inserting into the own", {"Sources/Owner/Rows.swift": owner + 'try db.insert(["a": 1], into: Orchard.table)\n'}, None),
        ("a word of a sentence", files('let x = "no fruit"\n// SELECT a FROM fruit\n'), None),
        ("listed", files('let x = "SELECT a FROM fruit"\n', f"# why\n{other} fruit 1\n"), None),
        ("more than listed", files('let x = "SELECT a FROM fruit"\nlet y = "DELETE FROM fruit"\n', f"{other} fruit 1\n"),
         "2 statements"),
        ("fewer than listed", files("", f"{other} fruit 1\n"), "lower the line's 1"),
    ], check)


if __name__ == "__main__":
    if "--print-list" in sys.argv[1:]:
        for (path, table), count in sorted(foreign_uses(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))).items()):
            print(path, table, count)
    else:
        checking.run("check-tables", check, self_test)
