#!/usr/bin/env python3
"""Checks that everything the documentation and the comments refer to exists.

In Markdown files: relative links, images and anchors. In comments, and in the texts of Sources: every file of the
repository that is named. In docs/: the tests that pages name as evidence, the types that pages about the code name, and
that each page is short and begins with what it is for. Everywhere: no citations of documents that are not in the repository, no paths of a machine.
`--self-test` shows that each of these is found.
"""
import os
import re
import urllib.parse

import checking

MAXIMUM_PAGE_LINES = 250
# Built, generated or written by a run; they need not exist in a new clone.
GENERATED = ("Tests/Fixtures/generated", "Fuzzing/corpus", "Fuzzing/findings")
SKIPPED_FOLDERS = {".git", "data", "media", "__pycache__", "generated", "corpus", "findings"}
# The folders whose files a citation may name.
CITED_FOLDERS = ("docs", "Sources", "Tests", "Scripts", "Benchmarks", "Fuzzing", "Examples", ".ci")
CITING_FILES = {"Makefile", "Dockerfile", "docker-compose.yml", "Package.swift", "run", "nginx.conf"}
CITING_ENDINGS = (".swift", ".py", ".sh", ".c", ".h", ".md", ".yml", ".conf", ".lua")
# Look like file names and are not.
FOREIGN_NAMES = {"GRDB.swift", "Type.swift", "Type+Feature.swift"}
# Documents that a reader of the repository cannot get (those who plan the project have them).
UNREACHABLE = re.compile(
    r"hls-rules|design decision \d+|\brule \d+\.\d+|(?<![\w/-])(?:design|interop|style|language)\.md|\.\./shared/|(?<!\w)/work/\w",
    re.IGNORECASE)
# Pages that name types of the code; their names are looked up in Sources.
CODE_PAGES = {"docs/architecture.md", "docs/subsystems.md", "docs/domains.md", "docs/decisions.md",
              "docs/operations/limits.md", "docs/threat-model.md", "CONTRIBUTING.md"}
# Pages that name tests; single functions are looked up in Tests, too.
EVIDENCE_PAGES = {"docs/failures.md", "docs/threat-model.md"}
# Written like types of ours, and belong to others.
FOREIGN_TYPES = {"ArgumentParser", "NSCocoaErrorDomain"}

LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
CODE_SPAN = re.compile(r"(`+)(.+?)\1")
CITED_PATH = re.compile(r"(?<![\w./:<{$-])((?:" + "|".join(re.escape(one) for one in CITED_FOLDERS) + r")/[\w.+/-]*[\w/])")
CITED_NAME = re.compile(r"(?<![\w./*$}<{+-])([\w+-]+\.(?:swift|py|md|sh))(?![\w/(])")
TYPE_NAME = re.compile(r"^([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*[A-Z][A-Za-z0-9]*|[A-Z]+[a-z]+[A-Z][A-Za-z0-9]*)(?:[.(+].*)?$")
TEST_NAME = re.compile(r"^(?:\w+\.)*?(\w+Tests)(?:\.(\w+))?$")
FUNCTION_NAME = re.compile(r"^[a-z][A-Za-z0-9]{14,}$")


def files(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(one for one in folders if one not in SKIPPED_FOLDERS and not one.startswith(".build"))
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), root)
            if name in CITING_FILES or name.endswith(CITING_ENDINGS):
                yield path


def slug(heading, seen):
    """The anchor that GitHub makes of a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
    count = seen.get(anchor, 0)
    seen[anchor] = count + 1
    return f"{anchor}-{count}" if count else anchor


def outside_fences(text):
    """Yields number and text of each line that is not in a fenced block."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r"^\s*(```+|~~~+)", line)
        if mark and fence is None:
            fence = mark.group(1)
        elif mark and line.strip().startswith(fence):
            fence = None
        elif fence is None:
            yield number, line


def anchors(text):
    seen = {}
    return {slug(found.group(2), seen) for _, line in outside_fences(text) if (found := HEADING.match(line))}


class Repository:
    def __init__(self, root):
        self.root = root
        self.texts = {}
        for path in files(root):
            with open(os.path.join(root, path), encoding="utf-8") as file:
                self.texts[path] = file.read()
        self.names = {os.path.basename(path) for path in self.texts}
        sources = "\n".join(text for path, text in self.texts.items() if path.startswith("Sources/"))
        tests = "\n".join(text for path, text in self.texts.items() if path.startswith("Tests/"))
        self.words = set(re.findall(r"\w+", sources)) | {os.path.splitext(name)[0] for name in self.names}
        self.suites = set(re.findall(r"(?:struct|class|enum|actor|extension)\s+(?:\w+\.)*(\w+Tests)\b", tests))
        self.suites |= {path.split("/")[1] for path in self.texts if path.startswith("Tests/")}
        self.tests = set(re.findall(r"func\s+(\w+)", tests))

    def exists(self, path):
        return os.path.exists(os.path.join(self.root, path))


def check_links(repository, path, text):
    for number, line in outside_fences(text):
        for target in LINK.findall(CODE_SPAN.sub("", line.replace("](", "]\0(")).replace("\0", "")):
            if re.match(r"^[a-z][a-z0-9+.-]*:", target):
                continue
            file, _, anchor = urllib.parse.unquote(target).partition("#")
            place = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
            if place.startswith("..") or not repository.exists(place):
                yield number, f"links to {target}, which does not exist"
            elif anchor and place.endswith(".md") and anchor not in anchors(repository.texts[place]):
                yield number, f"links to {target}, which has no such heading"


def comments(path, text):
    """Yields number and text of what a reader of a source file reads: comments, and in Swift also texts."""
    is_swift = path.endswith((".swift", ".c", ".h"))
    in_block = False
    for number, line in enumerate(text.splitlines(), 1):
        if is_swift:
            begins, in_block = "/*" in line, (in_block or "/*" in line) and "*/" not in line
            if in_block or begins or re.match(r"^\s*\*", line):
                yield number, line
            elif "//" in line:
                yield number, line.split("//", 1)[1]
            elif path.startswith("Sources/") and "docs/" in line:
                yield number, line
        elif re.search(r"(?:^|\s)(?:#|--)", line):
            yield number, re.split(r"(?:^|\s)(?:#|--)", line, maxsplit=1)[1]


def check_citations(repository, path, lines):
    for number, line in lines:
        for cited in CITED_PATH.findall(line):
            cited = cited.rstrip(".")
            if not cited.startswith(GENERATED) and not repository.exists(cited):
                yield number, f"names {cited}, which does not exist"
        for cited in CITED_NAME.findall(line):
            if cited not in repository.names and cited not in FOREIGN_NAMES and not repository.exists(cited):
                yield number, f"names {cited}, which is nowhere in the repository"


def check_names(repository, path, text):
    """Types and tests that a page names in code spans."""
    for number, line in outside_fences(text):
        for _, span in CODE_SPAN.findall(line):
            test = TEST_NAME.match(span)
            if test:
                if test.group(1) not in repository.suites:
                    yield number, f"names the tests {test.group(1)}, which do not exist"
                elif test.group(2) and test.group(2) not in repository.tests | repository.suites:
                    yield number, f"names the test {test.group(2)}, which does not exist"
            elif path in EVIDENCE_PAGES and FUNCTION_NAME.match(span):
                if span not in repository.tests | repository.words:
                    yield number, f"names the test {span}, which does not exist"
            elif path in CODE_PAGES and (found := TYPE_NAME.match(span)):
                if found.group(1) not in repository.words | FOREIGN_TYPES:
                    yield number, f"names {found.group(1)}, which is nowhere in Sources"


def check_page(text):
    lines = text.splitlines()
    if len(lines) > MAXIMUM_PAGE_LINES:
        yield len(lines), f"has {len(lines)} lines; {MAXIMUM_PAGE_LINES} are the most a page may have"
    if len(lines) < 3 or not lines[0].startswith("# ") or lines[1] or not re.match(r"[A-Z\[`]", lines[2]):
        yield 1, "does not begin with a heading, an empty line, and a sentence that says what the page is for"


def check(root):
    repository = Repository(root)
    findings = []
    for path, text in repository.texts.items():
        if os.path.basename(path) == os.path.basename(__file__):
            continue
        found = []
        if path.endswith(".md"):
            found += check_links(repository, path, text)
            spans = [(number, " ".join(span for _, span in CODE_SPAN.findall(line)))
                     for number, line in outside_fences(text)]
            # The changelog names what there was.
            if path != "CHANGELOG.md":
                found += check_citations(repository, path, spans)
                found += check_names(repository, path, text)
            if path.startswith("docs/"):
                found += check_page(text)
        else:
            found += check_citations(repository, path, comments(path, text))
        for number, line in enumerate(text.splitlines(), 1):
            if (cited := UNREACHABLE.search(line)):
                found.append((number, f"cites {cited.group(0)}, which a reader of the repository cannot get"))
        findings += [f"{path}:{number}: {message}" for number, message in sorted(found)]
    return findings


def self_test():
    page = "# Page\n\nThis page is for the self-test.\n\n## A `b` (c)\n"
    head = "# A\n\n"
    cases = [
        ("link", {"README.md": "[x](docs/p.md#a-b-c) ![i](docs/p.md)"}, None),
        ("link in a link", {"README.md": "[![i](docs/p.md)](docs/gone.md)"}, "docs/gone.md, which does not exist"),
        ("web link", {"README.md": "[x](https://example.com/gone.md) <https://example.com>"}, None),
        ("link in code", {"README.md": "`[x](gone)`\n```\n[x](gone)\n```"}, None),
        ("code in a link", {"README.md": "[`x`](gone.md)"}, "gone.md, which does not exist"),
        ("missing file", {"README.md": "[x](docs/gone.md)"}, "docs/gone.md, which does not exist"),
        ("outside", {"README.md": "[x](../gone.md)"}, "../gone.md, which does not exist"),
        ("missing anchor", {"README.md": "[x](docs/p.md#gone)"}, "has no such heading"),
        ("own anchor", {"docs/q.md": "# Own title\n\n[x](#own-title)"}, None),
        ("second of a name", {"docs/q.md": "# A\n\n[x](#a-1)\n# A"}, None),
        ("long page", {"docs/q.md": "# A\n\nB" + "\n" * 249}, "251 lines"),
        ("page without a sentence", {"docs/q.md": "# A\n\n| b |"}, "does not begin with"),
        ("comment", {"Sources/A/B.swift": "/// See docs/p.md.\n"}, None),
        ("comment, missing", {"Sources/A/B.swift": "/// See docs/gone.md.\n"}, "names docs/gone.md"),
        ("text, missing", {"Sources/A/B.swift": "let help = \"see docs/gone.md\"\n"}, "names docs/gone.md"),
        ("script, missing", {"Scripts/a.sh": "x # Scripts/gone.sh does that\n"}, "names Scripts/gone.sh"),
        ("code is not checked", {"Scripts/a.py": "x = 'Sources/gone.swift'\n"}, None),
        ("name, missing", {"Sources/A/B.swift": "// as Gone.swift does\n"}, "names Gone.swift"),
        ("name", {"Sources/A/B.swift": "// as B.swift does, and GRDB.swift\n"}, None),
        ("generated", {"Makefile": "# makes Tests/Fixtures/generated\n"}, None),
        ("unreachable", {"Sources/A/B.swift": "// hls-rules 8.4\n"}, "cites hls-rules"),
        ("unreachable decision", {"Sources/A/B.swift": "// (design decision 5)\n"}, "cites design decision 5"),
        ("unreachable rule", {"Sources/A/B.swift": "// asks for that (rule 1.30)\n"}, "cites rule 1.30"),
        ("unreachable page", {"Tests/A/B.swift": "let a = 1 // design.md\n"}, "cites design.md"),
        ("machine", {"CHANGELOG.md": "at /work/somebody\n"}, "cites /work/s"),
        ("test", {"docs/failures.md": head + "`ATests.isFound`, `isFoundAsWellAsIt`",
                  "Tests/A/ATests.swift": "struct ATests { func isFound() {}; func isFoundAsWellAsIt() {} }"}, None),
        ("suite, missing", {"docs/failures.md": head + "`GoneTests.isFound`"}, "the tests GoneTests"),
        ("test, missing", {"docs/failures.md": head + "`ATests.isGone`", "Tests/A/ATests.swift": "struct ATests {}"},
         "the test isGone"),
        ("function, missing", {"docs/failures.md": head + "`isNotFoundAnywhere`"}, "the test isNotFoundAnywhere"),
        ("type", {"docs/architecture.md": head + "`PartBuilder.add(_:)`", "Sources/A/PartBuilder.swift": "struct PartBuilder"},
         None),
        ("type, missing", {"docs/architecture.md": head + "`GoneBuilder`"}, "names GoneBuilder"),
    ]
    # A missing file's path and name are one mistake, told once or twice.
    return checking.self_test_failures(
        [(label, {"docs/p.md": page, **contents}, expected) for label, contents, expected in cases], check, most=2)


if __name__ == "__main__":
    checking.run("check-links", check, self_test)
