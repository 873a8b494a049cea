#!/usr/bin/env python3
"""Compares every target's `import` lines with the dependencies that Package.swift declares for it.

The package manager alone does not catch an undeclared import of a sibling target once another target has built it.
Wrong is: an import that is not declared, a declared dependency that nothing imports, and an import of a module that
belongs to one target alone. `--self-test` shows that each of these is found.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

# Come with the toolchain or the system; no target declares them.
SYSTEM_MODULES = {"Swift", "Foundation", "FoundationEssentials", "Dispatch", "CDispatch", "Glibc", "Musl", "Darwin",
                  "Synchronization"}
TEST_MODULES = {"Testing"}
# docs/architecture.md: who alone may know these.
SOLE_IMPORTERS = {
    "GRDB": {"Catalogue"},
    "CLibAV": {"LibAV"},
    "Hummingbird": {"HTTPEndpoints", "OperatorAPI", "WebSite", "Gateway"},
    "Mustache": {"WebSite"},
    "ArgumentParser": {"antena"},
}
IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+)?(\w+)")


def manifest(root):
    swift = os.environ.get("SWIFT", "swift")
    output = subprocess.run([swift, "package", "--package-path", root, "dump-package"], check=True,
                            stdout=subprocess.PIPE).stdout
    return json.loads(output)


def declared_dependencies(target):
    """The module names a target may import: its products and siblings are named as their modules are."""
    names = set()
    for dependency in target["dependencies"]:
        for kind in ("byName", "product", "target"):
            if kind in dependency:
                names.add(dependency[kind][0])
    return names


def folder_of(target):
    return target.get("path") or os.path.join("Tests" if target["type"] == "test" else "Sources", target["name"])


def imports_below(folder):
    """Yields path, line number and module of each import; comments of several lines are left out."""
    for directory, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            if not name.endswith(".swift"):
                continue
            path, in_comment, in_text = os.path.join(directory, name), False, False
            with open(path, encoding="utf-8") as source:
                for number, line in enumerate(source, 1):
                    if line.count('"""') % 2:
                        in_text = not in_text
                    in_comment = (in_comment or "/*" in line) and "*/" not in line
                    found = IMPORT.match(line)
                    if found and not in_comment and not in_text:
                        yield path, number, found.group(1)


def check(root, package):
    findings = []
    for target in package["targets"]:
        name, is_test = target["name"], target["type"] == "test" or target.get("path", "").startswith("Tests")
        folder = os.path.join(root, folder_of(target))
        if not os.path.isdir(folder):
            findings.append(f"Package.swift: the target {name} has no folder {folder_of(target)}")
            continue
        declared = declared_dependencies(target)
        allowed = declared | SYSTEM_MODULES | (TEST_MODULES if is_test else set())
        imported, has_swift = set(), False
        for path, number, module in imports_below(folder):
            has_swift = True
            imported.add(module)
            place = f"{os.path.relpath(path, root)}:{number}"
            if module not in allowed:
                findings.append(f"{place}: {name} imports {module}, which Package.swift does not declare for it")
            sole = SOLE_IMPORTERS.get(module)
            if sole and name not in sole and not is_test:
                findings.append(f"{place}: {name} imports {module}; only {', '.join(sorted(sole))} may")
        # Tests start programs and plug-ins that they do not import.
        if has_swift and not is_test:
            for module in sorted(declared - imported):
                findings.append(f"Package.swift: {name} declares {module}, which nothing in it imports")
    return findings


def self_test():
    def target(name, dependencies, kind="regular"):
        return {"name": name, "type": kind, "dependencies": [{"byName": [one, None]} for one in dependencies]}

    cases = [
        ("declared", ["Lower"], "import Lower\n", None),
        ("modifiers", ["Lower"], "@preconcurrency package import struct Lower.Value\n", None),
        ("system", [], "import Foundation\n", None),
        ("comment", [], "/*\nimport Upper\n*/\n// import Upper\n", None),
        ("undeclared", ["Lower"], "import Lower\nimport Upper\n", "imports Upper"),
        ("submodule", [], "import Upper.Part\n", "imports Upper"),
        ("unused", ["Lower", "Other"], "import Lower\n", "declares Other"),
        ("sole importer", ["GRDB"], "import GRDB\n", "only Catalogue may"),
        ("testing", [], "import Testing\n", "imports Testing"),
    ]
    failures = []
    for label, dependencies, source, expected in cases:
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "Sources/Middle"))
            with open(os.path.join(root, "Sources/Middle/File.swift"), "w", encoding="utf-8") as file:
                file.write(source)
            findings = check(root, {"targets": [target("Middle", dependencies)]})
        found = any(expected in finding for finding in findings) if expected else not findings
        if not found or len(findings) > 1:
            failures.append(f"self-test \"{label}\": expected {expected or 'nothing'}, got {findings}")
    with tempfile.TemporaryDirectory() as root:
        if len(check(root, {"targets": [target("Gone", [])]})) != 1:
            failures.append("self-test: a missing folder was not found")
    return failures


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    findings = self_test() if "--self-test" in sys.argv[1:] else check(root, manifest(root))
    for finding in findings:
        print(finding, file=sys.stderr)
    if findings:
        sys.exit(f"check-layers: {len(findings)} wrong")


if __name__ == "__main__":
    main()
