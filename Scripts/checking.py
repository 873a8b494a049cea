"""What the check scripts share: findings on standard error, and self-tests on files that are made for them."""
import os
import sys
import tempfile


def self_test_failures(cases, check, most=1):
    """The self-tests that fail.

    `cases`: a label, the files of a repository by their paths, and a part of the finding that is expected, or None.
    `most`: findings that one mistake may lead to.
    """
    failures = []
    for label, files, expected in cases:
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            findings = check(root)
        found = any(expected in finding for finding in findings) if expected else not findings
        if not found or len(findings) > most:
            failures.append(f"self-test \"{label}\": expected {expected or 'nothing'}, got {findings}")
    return failures


def run(name, check, self_test):
    """Checks this repository, or the check itself with `--self-test`; ends with status 1 if something is wrong."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    findings = self_test() if "--self-test" in sys.argv[1:] else check(root)
    for finding in findings:
        print(finding, file=sys.stderr)
    if findings:
        sys.exit(f"{name}: {len(findings)} wrong")
