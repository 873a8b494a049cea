#!/usr/bin/env python3
"""Makes pictures of the site's pages, to be looked at: on a phone and a desktop, in both languages, light and dark.

    screenshots.py ORIGIN FOLDER [--user NAME --password PASSWORD] [--page NAME=PATH]...

Without pages it takes those that every server has. With a user it logs in first. Needs `chromium`; standard library only.
"""
import argparse
import base64
import importlib.util
import itertools
import json
import os
import shutil
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SPEC = importlib.util.spec_from_file_location(
    "drive_chromium", os.path.join(HERE, "..", "Tests", "Support", "drive-chromium.py"))
CHROMIUM = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(CHROMIUM)

PAGES = ["home=/", "live=/directo", "club=/videoclub", "series=/videoclub/series", "radio=/radio",
         "albums=/radio/albumes", "community=/comunidad", "search=/buscar?q=a", "about=/acerca", "help=/ayuda",
         "log-in=/cuenta/entrar", "install=/instalar", "missing=/nothing-here"]
MEMBER_PAGES = ["account=/cuenta", "security=/cuenta/seguridad", "devices=/cuenta/dispositivos", "data=/cuenta/mis-datos",
                "titles=/cuenta/alquileres", "credits=/cuenta/creditos", "upload=/comunidad/subir",
                "notifications=/comunidad/avisos", "profile=/comunidad/perfil", "dashboard=/operator", "log=/operator/registro",
                "settings=/operator/ajustes", "components=/operator/components"]
SIZES = {"phone": (390, 844), "desktop": (1440, 900)}
LONGEST = 3000
"""Pixels of a page that are in its picture at most."""
SETTLING_SECONDS = 1.5
LOG_IN = """
    document.querySelector('[name=username]').value = %s;
    document.querySelector('[name=password]').value = %s; 1
"""


def shoot(page, file, size):
    """A picture of the whole page."""
    width, height = size
    time.sleep(SETTLING_SECONDS)
    whole = page.evaluate("document.documentElement.scrollHeight")
    metrics = {"width": width, "deviceScaleFactor": 1, "mobile": width < 600}
    page.call("Emulation.setDeviceMetricsOverride", height=max(height, min(whole, LONGEST)), **metrics)
    time.sleep(0.2)
    image = page.call("Page.captureScreenshot", format="png")["data"]
    page.call("Emulation.setDeviceMetricsOverride", height=height, **metrics)
    with open(file, "wb") as output:
        output.write(base64.b64decode(image))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("origin")
    parser.add_argument("folder")
    parser.add_argument("--user")
    parser.add_argument("--password")
    parser.add_argument("--page", action="append", help="a name for the file, and a path")
    arguments = parser.parse_args()
    pages = arguments.page or PAGES + (MEMBER_PAGES if arguments.user else [])
    os.makedirs(arguments.folder, exist_ok=True)
    executable = shutil.which("chromium") or sys.exit("Chromium is not installed: apt-get install chromium")
    for language in ("en", "es"):
        profile = tempfile.mkdtemp(prefix="antena-screenshots-")
        flags = list(CHROMIUM.BROWSER_FLAGS)
        CHROMIUM.BROWSER_FLAGS.append(f"--accept-lang={language}")
        process, port = CHROMIUM.start_browser(profile, executable)
        try:
            page = CHROMIUM.Page(CHROMIUM.page_socket(port))
            for domain in ("Page", "Runtime"):
                page.call(f"{domain}.enable")

            def go(path):
                page.call("Page.navigate", url=arguments.origin + path)
                page.wait("document.readyState === 'complete' && location.href !== 'about:blank'", 30)

            if arguments.user:
                go("/cuenta/entrar")
                page.evaluate(LOG_IN % (json.dumps(arguments.user), json.dumps(arguments.password)))
                page.click("form[action='/cuenta/entrar'] button")
                page.wait("location.pathname !== '/cuenta/entrar'", 30)
            for (name, size), colours in itertools.product(SIZES.items(), ("light", "dark")):
                page.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1,
                          mobile=size[0] < 600)
                page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": colours}])
                for entry in pages:
                    title, path = entry.split("=", 1)
                    go(path)
                    file = os.path.join(arguments.folder, f"{title}-{name}-{language}-{colours}.png")
                    shoot(page, file, size)
                    print(file, flush=True)
        finally:
            process.kill()
            process.wait()
            shutil.rmtree(profile, ignore_errors=True)
            CHROMIUM.BROWSER_FLAGS[:] = flags


if __name__ == "__main__":
    main()
