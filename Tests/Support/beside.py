"""Loads scripts of this folder as modules; their names have hyphens."""
import importlib.util
import os


def module(name):
    """The script NAME.py."""
    spec = importlib.util.spec_from_file_location(
        name, os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.py"))
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found
