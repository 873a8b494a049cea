#!/usr/bin/env python3
"""Checks that arrows between targets, and between the folders inside a target, point downwards only.

- Every `import` is compared with the dependencies that Package.swift declares: the package manager alone does not
  catch an undeclared import of a sibling target once another target has built it. Wrong is: an import that is not
  declared, a declared dependency that nothing imports, and an import of a module that belongs to one target alone.
- A target depends only on targets of lower layers (the MARK comments of Package.swift), and on those of its own layer
  that Scripts/layer-arrows.txt lists, each with its reason.
- Two folders of a target do not refer to each other's types both ways. Pairs that did when this check was written are
  listed in Scripts/folder-pairs.txt, which may only shrink; `--print-pairs` prints today's. Types are found by their
  names: what only extensions or inferred types connect is not seen.

`--self-test` shows that each of these is found.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import checking

# Come with the toolchain or the system; no target declares them.
SYSTEM_MODULES = {"Swift", "CoreFoundation", "Foundation", "FoundationEssentials", "Dispatch", "CDispatch", "Glibc", "Musl", "Darwin",
                  "Synchronization"}
TEST_MODULES = {"Testing"}
# docs/architecture.md: who alone may know these.
SOLE_IMPORTERS = {
    "GRDB": {"Database"},
    "CLibPQ": {"Database"},
    "CLibSRT": {"LibSRT"},
    "CPango": {"TableDocuments", "BoardDrawing"},
    "CLibAV": {"LibAV", "Transcoding", "Capture"},
    "Hummingbird": {"HTTPEndpoints", "Workflows", "WebAPI", "WebSite", "Gateway", "OfflineDownloads"},
    "Mustache": {"WebSite"},
    "ArgumentParser": {"antena"},
}
# Who alone may sign what viewers fetch: the one place that has decided that they may.
SOLE_CALLERS = {re.compile(r"\blinks\.sign(?:WhileFree)?\("): {"Viewing"}}
PAIRS_FILE = "Scripts/folder-pairs.txt"
ARROWS_FILE = "Scripts/layer-arrows.txt"
ARROW_LINE = re.compile(r"^([\w-]+) -> ([\w-]+): \S")
LAYER = re.compile(r"^\s*// MARK: (?:Layer (\d+))?", re.MULTILINE)
TARGET = re.compile(r"\.(?:target|executableTarget)\(\s*name: \"([\w-]+)\"")
TYPE = re.compile(
    r"^(?:@[\w.]+(?:\([^)]*\))?\s+)*(?P<modifiers>(?:\w+\s+)*?)(?:struct|class|enum|protocol|actor|typealias)\s+"
    r"(?P<name>[A-Z]\w*)", re.MULTILINE)
WORD = re.compile(r"(?<![\w.])[A-Z]\w*")
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
        if not is_test and folder_of(target).startswith("Sources"):
            for path, text in sources(folder):
                for call, callers in SOLE_CALLERS.items():
                    if call.search(text) and name not in callers:
                        findings.append(f"{os.path.join(folder_of(target), path)}: {name} signs; only "
                                        f"{', '.join(sorted(callers))} may")
        # Tests start programs and plug-ins that they do not import.
        if has_swift and not is_test:
            for module in sorted(declared - imported):
                findings.append(f"Package.swift: {name} declares {module}, which nothing in it imports")
    return findings


# MARK: Layers

def layers(manifest_text):
    """The layer of each target, by the MARK comments of Package.swift; targets below other comments have none."""
    marks = [(found.start(), found.group(1)) for found in LAYER.finditer(manifest_text)]
    ranks = {}
    for found in TARGET.finditer(manifest_text):
        rank = [number for start, number in marks if start < found.start()][-1:]
        if rank and rank[0] is not None:
            ranks[found.group(1)] = int(rank[0])
    return ranks


def check_layers(package, ranks, allowed):
    """`allowed`: the arrows inside a layer that are listed, as pairs."""
    findings, inside = [], set()
    for target in package["targets"]:
        name = target["name"]
        for dependency in sorted(declared_dependencies(target)):
            if name not in ranks or dependency not in ranks or ranks[dependency] < ranks[name]:
                continue
            if ranks[dependency] > ranks[name]:
                findings.append(f"Package.swift: {name} (layer {ranks[name]}) depends on {dependency}, which is in "
                                f"layer {ranks[dependency]}")
                continue
            inside.add((name, dependency))
            if (name, dependency) not in allowed:
                findings.append(f"Package.swift: {name} depends on {dependency} of its own layer; {ARROWS_FILE} does not "
                                "list that with a reason")
    for name, dependency in sorted(allowed - inside):
        findings.append(f"{ARROWS_FILE}: {name} no longer depends on {dependency}; delete the line")
    return findings


def allowed_arrows(root):
    """The arrows that are listed, and the lines that are none."""
    arrows, wrong = set(), []
    with open(os.path.join(root, ARROWS_FILE), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.startswith("#"):
                continue
            found = ARROW_LINE.match(line)
            if found:
                arrows.add(found.groups())
            else:
                wrong.append(f"{ARROWS_FILE}:{number}: a line is `Target -> Target: reason`")
    return arrows, wrong


# MARK: Folders and files

def code(text):
    """The source without comments and the content of strings."""
    text = re.sub(r'(#*)"""\n.*?"""\1', '""', text, flags=re.DOTALL)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    return re.sub(r"//.*", "", text)


def sources(folder):
    """Yields the path in the target and the code of each Swift file."""
    for directory, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith(".swift"):
                path = os.path.join(directory, name)
                with open(path, encoding="utf-8") as source:
                    yield os.path.relpath(path, folder), code(source.read())


def declared_types(text):
    """The types at the top level of a file that other files can use."""
    return [found.group("name") for found in TYPE.finditer(text)
            if not {"private", "fileprivate"} & set(found.group("modifiers").split())]


def folder_references(folder):
    """Which folder of a target refers to which: {(from, to): (file, type)}, with the first example. The files beside
    the folders count as a folder of the name `.`."""
    files = [(path, path.split(os.sep)[0] if os.sep in path else ".", text) for path, text in sources(folder)]
    homes = {}
    for _, home, text in files:
        for name in declared_types(text):
            homes.setdefault(name, set()).add(home)
    references = {}
    for path, home, text in files:
        for word in WORD.findall(text):
            for other in homes.get(word, ()):
                if home not in homes[word]:
                    references.setdefault((home, other), (path, word))
    return references


def folder_pairs(name, folder):
    """The pairs of folders that refer to each other both ways, each with its two examples."""
    references = folder_references(folder)
    return {f"{name}: {one} <-> {other}": (references[one, other], references[other, one])
            for one, other in sorted(references) if one < other and (other, one) in references}


def source_targets(root, package):
    for target in package["targets"]:
        folder = folder_of(target)
        if folder.startswith("Sources") and os.path.isdir(os.path.join(root, folder)):
            yield target["name"], os.path.join(root, folder)


def check_folders(root, package, allowed):
    findings, found = [], set()
    for name, folder in source_targets(root, package):
        for pair, ((path, word), (back_path, back_word)) in folder_pairs(name, folder).items():
            found.add(pair)
            if pair not in allowed:
                findings.append(f"{pair} is new: {path} uses {word}, {back_path} uses {back_word}")
    for pair in sorted(allowed - found):
        findings.append(f"{PAIRS_FILE}: \"{pair}\" is over; delete the line")
    return findings


def allowed_pairs(root):
    with open(os.path.join(root, PAIRS_FILE), encoding="utf-8") as file:
        return {line.strip() for line in file if line.strip() and not line.startswith("#")}


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
        ("sole importer", ["GRDB"], "import GRDB\n", "only Database may"),
        ("testing", [], "import Testing\n", "imports Testing"),
        ("sole caller", [], "let a = links.sign(b)\n", "only Viewing may"),
        ("another call", [], "let a = links.signatures(b)\n// links.sign(c)\n", None),
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
    return failures + self_test_layers() + self_test_folders()


def self_test_layers():
    text = """
        // MARK: Layer 0: values
        .target(name: "Low"),
        // MARK: Layer 1: mechanisms
        .target(
            name: "Middle", dependencies: ["Low"]),
        .target(name: "Beside", dependencies: ["Middle"]),
        // MARK: Tests
        .target(name: "Support", dependencies: ["Middle"]),
        """
    ranks = layers(text)
    failures = []
    if ranks != {"Low": 0, "Middle": 1, "Beside": 1}:
        failures.append(f"self-test: the layers are read as {ranks}")

    def findings(name, *dependencies, allowed=()):
        return check_layers(
            {"targets": [{"name": name, "dependencies": [{"byName": [one, None]} for one in dependencies]}]}, ranks,
            set(allowed))
    if findings("Beside", "Low", "NIOCore") or findings("Support", "Middle"):
        failures.append("self-test: a dependency on a lower layer was refused")
    if len(findings("Low", "Middle")) != 1:
        failures.append("self-test: a dependency on a higher layer was not found")
    if len(findings("Beside", "Middle")) != 1 or findings("Beside", "Middle", allowed=[("Beside", "Middle")]):
        failures.append("self-test: a dependency on the same layer is not compared with the list")
    if len(findings("Beside", "Low", allowed=[("Beside", "Middle")])) != 1:
        failures.append("self-test: a line of the list that is over was not found")
    return failures


def with_sources(files, body):
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            path = os.path.join(root, "Sources/Middle", path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return body(root, {"targets": [{"name": "Middle", "type": "regular", "dependencies": []}]})


def self_test_folders():
    one_way = {"A/Upper.swift": "struct Upper { var lower: Lower }\n", "B/Lower.swift": "struct Lower {}\n"}
    both = dict(one_way, **{"B/Lower.swift": "struct Lower { func f(_ upper: Upper) {} }\n"})
    pair = "Middle: A <-> B"
    cases = [
        ("one way", one_way, set(), None),
        ("both ways", both, set(), "Middle: A <-> B is new: A/Upper.swift uses Lower, B/Lower.swift uses Upper"),
        ("both ways, allowed", both, {pair}, None),
        ("no longer both ways", one_way, {pair}, "is over"),
        ("comments and strings", dict(one_way, **{
            "B/Lower.swift": "/// An Upper.\nstruct Lower { let name = \"Upper\" /* Upper */ }\n"}), set(), None),
        ("members", dict(one_way, **{"B/Lower.swift": "struct Lower { let x = Other.Upper() }\n"}), set(), None),
        ("private namesake", dict(both, **{
            "A/Upper.swift": "private struct Upper { var lower: Lower }\n"}), set(), None),
        ("beside the folders", dict(one_way, **{
            "A/Upper.swift": "struct Upper { let facade: Facade }\n",
            "Facade.swift": "final class Facade { var upper: Upper? }\n"}), set(), "Middle: . <-> A is new"),
    ]
    failures = []
    for label, files, allowed, expected in cases:
        findings = with_sources(files, lambda root, package: check_folders(root, package, allowed))
        if len(findings) != (1 if expected else 0) or (expected and expected not in findings[0]):
            failures.append(f"self-test \"{label}\": expected {expected or 'nothing'}, got {findings}")
    return failures


def check_everything(root):
    package = manifest(root)
    with open(os.path.join(root, "Package.swift"), encoding="utf-8") as file:
        ranks = layers(file.read())
    arrows, wrong = allowed_arrows(root)
    return (wrong + check(root, package) + check_layers(package, ranks, arrows)
            + check_folders(root, package, allowed_pairs(root)))


def print_pairs(root):
    for name, folder in source_targets(root, manifest(root)):
        for pair in folder_pairs(name, folder):
            print(pair)


if __name__ == "__main__":
    if "--print-pairs" in sys.argv[1:]:
        print_pairs(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    else:
        checking.run("check-layers", check_everything, self_test)
