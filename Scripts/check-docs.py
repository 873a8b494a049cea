#!/usr/bin/env python3
"""Checks that DocC renders the doc comments without a warning: links that lead nowhere, parameters that a function does
not have or that only some of a list describe.

Reads every declaration of `package` access and above with the command that has compiled its module, from the last debug
build (`swift build --build-tests`), but without function bodies, which takes a fraction of the time. The symbol graphs
of `swift symbolgraph-extract` lack the declarations that mention what another package declares.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD_COMMANDS = os.path.join(ROOT, ".build/debug.yaml")
COMPILATION = re.compile(r'^  "C\.(?P<module>\w+)-[^"]*\.module":$(?:\n    .*)*?\n    args: (?P<arguments>\[.*\])$', re.M)
# Where the build writes, and how it divides its work; options with a value, and options without.
OUTPUT_OPTIONS = {"-emit-module-path", "-output-file-map", "-index-store-path", "-emit-objc-header-path"}
OUTPUT_FLAGS = {"-emit-module", "-emit-dependencies", "-incremental", "-c", "-enable-batch-mode", "-serialize-diagnostics",
                "-parseable-output", "-emit-objc-header"}


def compilations():
    """The command of each module below Sources/ that other modules import."""
    modules = {name for name in os.listdir(os.path.join(ROOT, "Sources")) if name != "antena"}
    with open(BUILD_COMMANDS, encoding="utf-8") as file:
        for found in COMPILATION.finditer(file.read()):
            if found.group("module") in modules:
                yield found.group("module"), json.loads(found.group("arguments"))


def reading(arguments):
    """The command without its outputs."""
    kept = iter(arguments)
    for argument in kept:
        if argument in OUTPUT_OPTIONS:
            next(kept)
        elif argument not in OUTPUT_FLAGS:
            yield argument


def run(command, **variables):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**os.environ, **variables})


def make_template(folder):
    """The pages around the doc comments, of which nothing is looked at. DocC copies the toolchain's with their owner,
    which an ordinary user may not."""
    os.makedirs(folder)
    for name in ("index.html", "index-template.html"):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write("<!doctype html><title>Antena</title>")


def check(module, arguments, folder):
    """The diagnostics of a module; nothing if there are none."""
    graphs = os.path.join(folder, module)
    os.makedirs(graphs)
    extraction = run([*reading(arguments), "-wmo", "-emit-module", "-o", os.path.join(folder, module + ".swiftmodule"),
                      "-Xfrontend", "-experimental-skip-all-function-bodies", "-emit-symbol-graph",
                      "-emit-symbol-graph-dir", graphs, "-symbol-graph-minimum-access-level", "package"])
    if extraction.returncode:
        return extraction.stdout or f"{module}: the compiler fails\n"
    conversion = run([
        os.path.join(os.path.dirname(arguments[0]), "docc"), "convert", "--warnings-as-errors",
        "--fallback-display-name", module, "--fallback-bundle-identifier", module,
        "--additional-symbol-graph-dir", graphs, "--output-path", os.path.join(folder, module + ".doccarchive")],
        DOCC_HTML_DIR=os.path.join(folder, "template"))
    return conversion.stdout or f"{module}: docc fails\n" if conversion.returncode else ""


def main():
    if not os.path.exists(BUILD_COMMANDS):
        sys.exit("check-docs: build first: swift build --build-tests")
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as threads:
        make_template(os.path.join(folder, "template"))
        checks = {module: threads.submit(check, module, arguments, folder) for module, arguments in compilations()}
        findings = {module: one.result() for module, one in checks.items() if one.result()}
    print("".join(findings.values()), end="", file=sys.stderr)
    if not checks or findings:
        sys.exit(f"check-docs: DocC complains about {', '.join(sorted(findings)) or 'the lack of modules'}")


if __name__ == "__main__":
    main()
