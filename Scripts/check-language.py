#!/usr/bin/env python3
"""Checks the rules of how Antena speaks that a program can see.

Wrong is: a doc comment below Sources that starts with Of, By, As, Also, And or Where, or with a clause (What, Who,
Those, Something, Somebody); a clause instead of a noun in a comment or text of the program ("of what", "those whom");
a log message without a verb ("uploads not read"); "whoever", "anew" or "borne" in what people read (Swift files,
documentation, the OpenAPI document); "… is no …" in a text of the program; and a comment of a Swift file with a line of
more than 120 characters, which swift-format does not see. `--self-test` shows that each mistake is found.
"""
import os
import re

import checking

BEGINNING = re.compile(r"/// (Of|By|As|Also|And|Where)\b")
CLAUSE_BEGINNING = re.compile(r"/// (What|Who|Whose|Whom|Those|Something|Somebody)\b")
CLAUSE = re.compile(r"\b(those whom|of what|not dealt with|each other one)\b", re.IGNORECASE)
# Comments and texts, but not the names of parameters.
COMMENT_OR_TEXT = re.compile(r'//.*|"(?:[^"\\\n]|\\.)*"')
LOG_MESSAGE = re.compile(r'\b\w*[lL]ogger\??\.(?:trace|debug|info|notice|warning|error|critical|log)\([^"]*("[^"\n]*")')
# "not read" at the end of a message or of its first part; "is not valid" and "does not answer" have a verb.
WITHOUT_VERB = re.compile(
    r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bdoes )(?<!\bdo )(?<!\bdid )(?<!\bhas )(?<!\bhave )"
    r'\b(not \w+(?: with)?)(?=[";:])')
WORD = re.compile(r"\b(whoever|anew|borne)\b", re.IGNORECASE)
# "There is no title" and "is no longer" are plain English.
IS_NO = re.compile(r'"[^"\n]*(?<!\b[tT]here )\bis no (?!longer\b|more\b)[^"\n]*"')
MAXIMUM_LENGTH = 120
FOLDERS = ("Sources", "Tests", "Examples", "Benchmarks", "Scripts", "docs")
ENDINGS = (".swift", ".md", ".json", ".py", ".sh", ".mustache", ".js")
# Measured values, recorded dialogues and lists of passwords are not ours to write; this script names the words.
EXEMPT = re.compile(r"/Fixtures/|/results/|^Scripts/check-language\.py$|/node_modules/")


def check_nouns(path, text):
    """Clauses in place of nouns, and log messages without a verb, in a Swift file below Sources."""
    begins = True
    for number, line in enumerate(text.split("\n"), 1):
        place, stripped = f"{path}:{number}", line.strip()
        if begins and (found := CLAUSE_BEGINNING.match(stripped)):
            yield f'{place}: a doc comment names its subject by a noun, not by "{found.group(1)} …"'
        begins = not stripped.startswith("///")
        for part in COMMENT_OR_TEXT.findall(line):
            if found := CLAUSE.search(part):
                yield f'{place}: a noun, not "{found.group(1)} …"'
    for message in LOG_MESSAGE.finditer(text):
        if found := WITHOUT_VERB.search(message.group(1)):
            place = f"{path}:{text.count(chr(10), 0, message.start(1)) + 1}"
            yield f'{place}: a log message says what could not be done, not "{found.group(1)}"'


def check_text(path, text):
    lines = text.split("\n")
    is_source = path.startswith("Sources/") and path.endswith(".swift")
    for number, line in enumerate(lines, 1):
        place, stripped = f"{path}:{number}", line.strip()
        begins = not lines[number - 2].strip().startswith("///") if number > 1 else True
        if is_source and begins and (found := BEGINNING.match(stripped)):
            yield f"{place}: a doc comment is a sentence or a noun phrase, and does not start with {found.group(1)}"
        if found := WORD.search(line):
            yield f'{place}: not "{found.group(1)}" (whoever does: a client that does; anew: again; borne: tolerated)'
        if is_source and not stripped.startswith("//") and IS_NO.search(line):
            yield f'{place}: "is not a …", not "is no …"'
        if path.endswith(".swift") and stripped.startswith("//") and len(line) > MAXIMUM_LENGTH:
            yield f"{place}: {len(line)} characters, which is more than {MAXIMUM_LENGTH}"
    if is_source:
        yield from check_nouns(path, text)


def check(root):
    paths = [name for name in os.listdir(root) if name.endswith(".md")]
    for start in FOLDERS:
        for folder, folders, names in os.walk(os.path.join(root, start)):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            paths += [os.path.relpath(os.path.join(folder, name), root) for name in sorted(names)]
    findings = []
    for path in paths:
        if path.endswith(ENDINGS) and not EXEMPT.search(path):
            with open(os.path.join(root, path), encoding="utf-8") as file:
                findings += check_text(path, file.read())
    return findings


def self_test():
    swift = "Sources/Target/File.swift"
    cases = [
        ("sentence", swift, "/// The titles, by ID.\nlet a = 1", None),
        ("preposition", swift, "/// By the title's ID.\nlet a = 1", "start with By"),
        ("second line", swift, "/// The titles, keyed\n/// By the title's ID.\nlet a = 1", None),
        ("test", "Tests/TargetTests/File.swift", "/// Where it ends.\nlet a = 1", None),
        ("clause as subject", swift, "/// What a member is told.\nlet a = 1", 'not by "What …"'),
        ("person as subject", swift, "/// Somebody follows the member.\ncase a", 'not by "Somebody …"'),
        ("clause in the second line", swift, "/// The notifications, and\n/// what they say.\nlet a = 1", None),
        ("clause in a test", "Tests/TargetTests/File.swift", "/// What it says.\nlet a = 1", None),
        ("clause in a comment", swift, "/// The end of what was read.\nlet a = 1", 'a noun, not "of what …"'),
        ("clause in a text", swift, 'let a = "Videos of those whom you follow."', 'a noun, not "those whom …"'),
        ("name of a parameter", swift, "func list(of what: String) {}", None),
        ("log without a verb", swift, 'logger.warning(\n    "uploads not read", metadata: [:])', "could not be done"),
        ("log with a first part without a verb", swift, 'logger.error("key not valid; kept")', "could not be done"),
        ("log with a verb", swift, 'logger.warning("uploads could not be read; will retry")', None),
        ("log with a negated verb", swift, 'logger.warning("the store does not answer; waiting")', None),
        ("whoever", swift, "// Whoever asks is right.", 'not "Whoever"'),
        ("whoever in documentation", "docs/a.md", "Ask whoever knows.", 'not "whoever"'),
        ("whoever in the API", "Sources/Target/Resources/openapi.json", '"whoever asks"', 'not "whoever"'),
        ("is no", swift, 'let a = "the file is no video"', "is not a"),
        ("is no longer", swift, 'let a = "it is no longer there"', None),
        ("there is no", swift, 'let a = "there is no title"', None),
        ("is no, in a comment", swift, "// The file is no video.", None),
        ("long line", swift, "// " + "a" * 118, "121 characters"),
        ("long text", swift, 'let a = "' + "a" * 130 + '"', None),
        ("long line of documentation", "docs/a.md", "a" * 300, None),
    ]
    return checking.self_test_failures(
        [(label, {path: f"{text}\n"}, expected) for label, path, text, expected in cases], check)


if __name__ == "__main__":
    checking.run("check-language", check, self_test)
