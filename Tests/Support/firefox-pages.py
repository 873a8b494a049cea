#!/usr/bin/env python3
"""Looks at pages of a server with Firefox: in Spanish and English, in a narrow window and one of a desktop, with axe-core.

    firefox-pages.py ORIGIN AXE [--user NAME --password PASSWORD] [--shots FOLDER] PATH...

AXE is the script of axe-core, `axe.min.js`. Each page must answer, have no violation that axe-core finds, and be no wider
than the window; the script ends with status 1 otherwise. With a user, the pages are opened after a log-in. It needs Debian's
`firefox-esr` and PyPI's `marionette_driver`; Tests/EndToEndTests/Site/FirefoxTests.swift runs it where both are.
"""
import argparse
import base64
import itertools
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

from marionette_driver.by import By
from marionette_driver.marionette import Marionette

# Width and height; no window of Firefox is narrower than the first one.
WINDOWS = {"narrow": (500, 900), "desktop": (1280, 900)}
START_SECONDS = 60
# A busy machine takes minutes for the first page of a new profile.
SESSION_SECONDS = 240
RUN_AXE = """
    const [resolve] = arguments;
    axe.run(document, {resultTypes: ['violations']}).then(
        result => resolve(result.violations.map(violation =>
            `${violation.id}: ${violation.nodes.map(node => node.target.join(' ')).join(', ')}`)),
        error => resolve([`axe: ${error}`]));
"""


def free_port():
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return place.getsockname()[1]


def start(language, folder):
    """Firefox without a window, with a profile of its own; the language is what it asks servers for."""
    port = free_port()
    profile = os.path.join(folder, language)
    os.mkdir(profile)
    with open(os.path.join(profile, "user.js"), "w", encoding="utf-8") as file:
        file.write(f'user_pref("intl.accept_languages", "{language}");\n'
                   f'user_pref("marionette.port", {port});\n'
                   'user_pref("datareporting.policy.dataSubmissionEnabled", false);\n'
                   'user_pref("app.update.enabled", false);\nuser_pref("browser.startup.page", 0);\n')
    process = subprocess.Popen(["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", profile],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        with socket.socket() as place:
            if place.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.2)
    browser = Marionette(host="127.0.0.1", port=port, socket_timeout=SESSION_SECONDS)
    browser.start_session()
    return process, browser


def stop(process):
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def log_in(browser, origin, user, password):
    browser.navigate(f"{origin}/cuenta/entrar")
    browser.find_element(By.NAME, "username").send_keys(user)
    browser.find_element(By.NAME, "password").send_keys(password)
    browser.find_element(By.CSS_SELECTOR, "form[action='/cuenta/entrar'] button").click()
    end = time.monotonic() + START_SECONDS
    while "/cuenta/entrar" in browser.get_url():
        if time.monotonic() > end:
            raise SystemExit("the log-in did not succeed")
        time.sleep(0.1)


def faults(browser, address, axe):
    browser.navigate(address)
    found = []
    if browser.execute_script("return document.querySelector('main') === null"):
        found.append("has no main part")
    width = browser.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
    if width[0] > width[1]:
        found.append(f"is {width[0]} pixels wide in a window of {width[1]}")
    # In a sandbox of its own, where the page's policy for scripts does not hold.
    browser.execute_script(axe, sandbox="axe", new_sandbox=True)
    return found + browser.execute_async_script(RUN_AXE, sandbox="axe", new_sandbox=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("origin")
    parser.add_argument("axe")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--user")
    parser.add_argument("--password")
    parser.add_argument("--shots")
    options = parser.parse_args()
    with open(options.axe, encoding="utf-8") as file:
        axe = file.read()
    count = 0
    # A test may block the signals that end Firefox.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    with tempfile.TemporaryDirectory() as folder:
        for language in ("es", "en"):
            process, browser = start(language, folder)
            try:
                browser.timeout.script = START_SECONDS
                if options.user:
                    log_in(browser, options.origin, options.user, options.password or "")
                for (name, (width, height)), (number, path) in itertools.product(
                        WINDOWS.items(), enumerate(options.paths)):
                    browser.set_window_rect(width=width, height=height)
                    for fault in faults(browser, options.origin + path, axe):
                        print(f"{path} ({language}, {name}): {fault}")
                        count += 1
                    if options.shots:
                        shot = os.path.join(options.shots, f"{number}-{language}-{name}.png")
                        with open(shot, "wb") as file:
                            file.write(base64.b64decode(browser.screenshot(full=False)))
            finally:
                stop(process)
    print(f"{len(options.paths)} pages, 2 languages, {len(WINDOWS)} windows: {count} faults")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
