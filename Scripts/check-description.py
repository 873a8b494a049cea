#!/usr/bin/env python3
"""Checks the description of the API that a server renders: against the OpenAPI specification, that each operation has a
name of its own, a group and a summary, that each component is used, and that examples are valid.

Runs in the virtual environment that Scripts/setup.sh makes for it, on a file or on standard input:
.build/linters/bin/python Scripts/check-description.py [openapi.json]
`--self-test` shows that mistakes of each kind are found.
"""
import json
import sys

import jsonschema
import referencing.exceptions
from openapi_spec_validator import OpenAPIV31SpecValidator

METHODS = {"get", "put", "post", "patch", "delete", "head", "options"}
REFERENCE = "#/components/"


def references(node):
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def specification_mistakes(description):
    try:
        for error in OpenAPIV31SpecValidator(description).iter_errors():
            yield f"{'/'.join(str(part) for part in error.absolute_path)}: {error.message[:300]}"
    except referencing.exceptions.Unresolvable as error:
        yield f"\"{error.ref}\" leads nowhere"


def operation_mistakes(description):
    for path, item in description["paths"].items():
        for method in METHODS & item.keys():
            operation, place = item[method], f"{method.upper()} {path}"
            for member in ("operationId", "tags", "summary"):
                if not operation.get(member):
                    yield f"{place}: no {member}"


def component_mistakes(description):
    used = set(references(description))
    for kind in ("schemas", "parameters", "responses"):
        for name in description.get("components", {}).get(kind, {}):
            if f"{REFERENCE}{kind}/{name}" not in used:
                yield f"components/{kind}/{name}: nothing refers to it"


def example_mistakes(description):
    for name, schema in description.get("components", {}).get("schemas", {}).items():
        whole = {"$ref": f"{REFERENCE}schemas/{name}", "components": description["components"]}
        parts = schema.get("allOf", [schema])
        for example in (example for part in parts for example in part.get("examples", [])):
            target = whole if parts == [schema] else {**parts[-1], "components": description["components"]}
            for error in jsonschema.Draft202012Validator(target).iter_errors(example):
                place = "/".join(str(part) for part in error.absolute_path)
                yield f"components/schemas/{name}: the example is not valid at \"{place}\": {error.message[:200]}"


def check(description):
    findings = list(specification_mistakes(description))
    return findings or [*operation_mistakes(description), *component_mistakes(description),
                        *example_mistakes(description)]


def self_test():
    def description(response=None, schemas=None, **operation):
        operation = {"operationId": "getA", "tags": ["a"], "summary": "A", **operation,
                     "responses": {"200": response or {"description": "Well."}}}
        return {"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "components": {"schemas": schemas or {}},
                "paths": {"/a": {"get": {key: value for key, value in operation.items() if value is not None}}}}

    def answer(schema):
        return {"description": "Well.", "content": {"application/json": {"schema": schema}}}

    reference = {"$ref": "#/components/schemas/A"}
    twice = description()
    twice["paths"]["/b"] = twice["paths"]["/a"]
    cases = [
        ("a description", description(answer(reference), {"A": {"type": "object", "examples": [{}]}}), None),
        ("a reference to nothing", description(answer(reference)), "leads nowhere"),
        ("a response without a description", description({"text": "Well."}), "description"),
        ("an operation without a name", description(operationId=None), "no operationId"),
        ("two operations of one name", twice, "not unique"),
        ("a schema that nothing uses", description(schemas={"A": {}}), "nothing refers to it"),
        ("an example of another type",
         description(answer(reference), {"A": {"type": "object", "examples": [1]}}), "is not valid"),
    ]
    failures = []
    for label, document, expected in cases:
        findings = check(document)
        if not (any(expected in finding for finding in findings) if expected else not findings):
            failures.append(f"self-test \"{label}\": expected {expected or 'nothing'}, got {findings}")
    return failures


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        results = self_test()
    else:
        with open(sys.argv[1] if sys.argv[1:] else "/dev/stdin", encoding="utf-8") as file:
            results = check(json.load(file))
    for result in results:
        print(result, file=sys.stderr)
    if results:
        sys.exit(f"check-description: {len(results)} wrong")
