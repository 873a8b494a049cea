#!/usr/bin/env python3
"""Checks the files that the program carries but Swift does not compile: the syntax of the site's style sheets, scripts
and files of texts. Scripts/check-description.py checks the description of the API, which a server renders.

Runs in the virtual environment that Scripts/setup.sh makes for it: .build/linters/bin/python Scripts/check-resources.py
`--self-test` shows that mistakes of each kind are found.
"""
import glob
import json
import os

import tree_sitter
import tree_sitter_css
import tree_sitter_javascript

import checking

GRAMMARS = {".css": tree_sitter_css, ".js": tree_sitter_javascript}


def mistakes(text, extension):
    """The line of each piece that the grammar does not know, and of each that it misses; the first says most."""
    parser = tree_sitter.Parser(tree_sitter.Language(GRAMMARS[extension].language()))
    nodes = [parser.parse(text).root_node]
    while nodes:
        node = nodes.pop()
        if node.is_error:
            piece = text[node.start_byte:node.end_byte].decode(errors="replace").split("\n")[0]
            yield node.start_point[0] + 1, f"\"{piece[:60]}\" is not understood"
        elif node.is_missing:
            yield node.start_point[0] + 1, f"\"{node.type}\" is missing"
        elif node.has_error:
            nodes += reversed(node.children)


def text_mistakes(content):
    """A name that stands twice hides a text."""
    def members(pairs):
        names = [name for name, _ in pairs]
        twice.update(name for name in names if names.count(name) > 1)
        return dict(pairs)

    twice = set()
    try:
        json.loads(content, object_pairs_hook=members)
    except ValueError as error:
        yield str(error)
    yield from (f"\"{name}\" stands twice in an object" for name in sorted(twice))


def check(root):
    findings = []
    for path in sorted(glob.glob(os.path.join(root, "Sources/*/Resources/**"), recursive=True)):
        if os.path.isdir(path):
            continue
        name, extension = os.path.relpath(path, root), os.path.splitext(path)[1]
        with open(path, "rb") as file:
            content = file.read()
        if extension in GRAMMARS:
            findings += [f"{name}:{line}: {message}" for line, message in mistakes(content, extension)]
        elif extension == ".json":
            findings += [f"{name}: {message}" for message in text_mistakes(content)]
    return findings


def self_test():
    cases = [
        ("CSS", mistakes(b"a { color: red; }\n@media (max-width: 9em) { b { margin: 0 } }\n", ".css"), 0),
        ("CSS without a brace", mistakes(b"a { color: red;\nb { margin: 0 }\n", ".css"), 1),
        ("JavaScript", mistakes(b"const f = async (a) => (await a)?.b ?? `c${a}`;\n", ".js"), 0),
        ("JavaScript with a word too many", mistakes(b"const a = 1;\nlet let b = ;\n", ".js"), 1),
        ("JSON", text_mistakes(b'{"a": {"b": 1}, "c": {"b": 2}}'), 0),
        ("JSON with a comma too many", text_mistakes(b'{"a": 1,}'), 1),
        ("JSON with a name that stands twice", text_mistakes(b'{"a": {"b": 1, "b": 2}}'), 1),
    ]
    return [f"self-test \"{label}\": found {found}" for label, found, expected in
            ((label, list(found), expected) for label, found, expected in cases) if bool(found) != bool(expected)]


if __name__ == "__main__":
    checking.run("check-resources", check, self_test)
