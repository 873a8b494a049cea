#!/usr/bin/env python3
"""Checks that log lines can be searched: messages are constants, and metadata keys come from LogKey.

Wrong is, in a call of a logger below Sources: a message with an interpolation or without a text, and a metadata key that
is a text; anywhere below Sources: `Logger.Metadata` and `metadataKey`, except in Sources/LogMetadata and in the log
handlers, which pass on what they get. `--self-test` shows that each mistake is found.
"""
import os
import re

import checking

# The list itself, and the handlers through which every line goes.
EXEMPT = ("Sources/LogMetadata/", "Sources/Gateway/Composition/Logging/")
CALL = re.compile(r"\b\w*[lL]ogger\??\.(?:trace|debug|info|notice|warning|error|critical|log)\(")
RAW = re.compile(r"\bLogger\.Metadata\b(?!Provider|Value)|\bmetadataKey\b")
TEXT_KEY = re.compile(r'[\[,]\s*"[^"\\]*"\s*:')
LEVEL = re.compile(r"level:[^,]*,\s*")
COMMENT = re.compile(r"//[^\n]*")


def arguments(text, start):
    """The text between the parentheses of a call whose opening one ends at `start`."""
    depth, end = 1, start
    while depth and end < len(text):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    return text[start:end - 1]


def message(call):
    """The first argument of a call, without the level."""
    return LEVEL.sub("", call.strip(), count=1).split("metadata:")[0]


def check_text(path, text):
    def place(position):
        return f"{path}:{text.count(chr(10), 0, position) + 1}"
    for found in CALL.finditer(text):
        call = arguments(text, found.end())
        if "\\(" in message(call) or '"' not in message(call):
            yield f"{place(found.start())}: a log message is a constant; what varies belongs into the metadata"
        if TEXT_KEY.search(call):
            yield f"{place(found.start())}: metadata keys come from LogKey"
    for found in RAW.finditer(COMMENT.sub("", text)):
        yield f"{path}: {found.group(0)} takes texts as keys; use LogKey and LogValues"


def check(root):
    findings = []
    for folder, _, names in sorted(os.walk(os.path.join(root, "Sources"))):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), root)
            if name.endswith(".swift") and not path.startswith(EXEMPT):
                with open(os.path.join(root, path), encoding="utf-8") as file:
                    findings += check_text(path, file.read())
    return findings


def self_test():
    cases = [
        ("right", 'logger.info("push started", metadata: [.channelName: "\\(name)"])', None),
        ("right with a level", 'logger.log(level: a ? .debug : .info, "refused", metadata: values)', None),
        ("right without values", 'context.logger.info("server stopped")', None),
        ("a colon in a value", 'logger.info("a", metadata: [.reason: "b: c", .count: "1"])', None),
        ("interpolation", 'logger.info("push of \\(name) started")', "constant"),
        ("message from elsewhere", "logger.info(message)", "constant"),
        ("text as key", 'logger.info("push started", metadata: ["channel": "\\(name)"])', "LogKey"),
        ("second key", 'logger.info("push started", metadata: [.error: "a", "channel": "b"])', "LogKey"),
        ("dictionary of texts", "var values: Logger.Metadata = [:]", "Logger.Metadata takes texts"),
        ("subscript", 'logger[metadataKey: "peer"] = "a"', "metadataKey takes texts"),
        ("comment", "// logger[metadataKey:] is not used.", None),
        ("provider", "let provider: Logger.MetadataProvider?", None),
    ]
    return checking.self_test_failures(
        [(label, {"Sources/Target/File.swift": f"{source}\n"}, expected) for label, source, expected in cases], check)


if __name__ == "__main__":
    checking.run("check-logs", check, self_test)
