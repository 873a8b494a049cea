#!/usr/bin/env python3
"""Reads the score over a picture, and the clock in it, from screenshots of a browser.

    overlay-screens.py URL [--firefox] [--start EXPRESSION] [--ready EXPRESSION] [--seconds SECONDS]

The page shows the test card of `clock-card.py` beside this script, and the points of side A over it. The player plays until
READY is true (that the score is shown), then runs START, such as a seek; then screenshots are made for so many seconds. A
script in the page repeats the points that are drawn as cells at the bottom of the window, in the same frame. The output is one
line of JSON for each screenshot, with the time in the picture in milliseconds since 1970 and the points. Chromium, or
`firefox-esr` with PyPI's `marionette_driver`; and ffmpeg, which reads the pictures.
"""
import argparse
import base64
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from beside import module

COLUMNS, ROWS = 8, 6
POINT_BITS = 5
CELL = 16
PLAYER = "document.querySelector('[data-player],.mini .player').antenaPlayer"
BEGIN = f"""(() => {{
  {PLAYER}.media.muted = true; {PLAYER}.play();
  return true; }})()"""
PROBE = f"""(() => {{
  const place = document.createElement('div');
  place.style = 'position:fixed;left:0;bottom:0;z-index:99999;display:flex;background:#000';
  place.append(...[...Array({POINT_BITS})].map(() => Object.assign(document.createElement('i'), {{ style: 'width:{CELL}px;height:{CELL}px' }})));
  document.body.append(place);
  const draw = () => {{
    const points = Number(document.querySelector('.score-overlay .b-points')?.textContent ?? 0);
    [...place.children].forEach((cell, index) => {{ cell.style.background = points >> index & 1 ? '#fff' : '#000'; }});
  }};
  new MutationObserver(draw).observe(document.querySelector('.score-overlay'), {{ childList: true, subtree: true, characterData: true }});
  draw();
  return true; }})()"""
PLACES = """(() => {
  const video = document.querySelector('[data-player] video');
  const { x, y, width, height } = video.getBoundingClientRect();
  const scale = Math.min(width / video.videoWidth, height / video.videoHeight);
  const [w, h] = [video.videoWidth * scale, video.videoHeight * scale];
  return [x + (width - w) / 2, y + (height - h) / 2, w, h, innerWidth, innerHeight]; })()"""


class Chromium:
    def __init__(self, url, folder):
        driver = module("drive-chromium")
        driver.BROWSER_FLAGS.append("--window-size=1024,768")
        self.process, port = driver.start_browser(folder, shutil.which("chromium"))
        self.page = driver.Page(driver.page_socket(port))
        for domain in ("Page", "Runtime"):
            self.page.call(f"{domain}.enable")
        self.page.call("Page.navigate", url=url)

    def evaluate(self, expression):
        return self.page.evaluate(expression)

    def shot(self):
        return base64.b64decode(self.page.call("Page.captureScreenshot", format="png")["data"])

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Firefox:
    def __init__(self, url, folder):
        self.driver = module("firefox-pages")
        self.process, self.browser = self.driver.start("en", folder)
        self.browser.set_window_rect(width=1024, height=768)
        self.browser.navigate(url)

    def evaluate(self, expression):
        return self.browser.execute_script(f"return {expression}", sandbox=None)

    def shot(self):
        return base64.b64decode(self.browser.screenshot(full=False))

    def close(self):
        self.driver.stop(self.process)


def wait(browser, expression, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if browser.evaluate(f"Boolean({expression})"):
                return
        except Exception as error:  # The page is on its way.
            last = error
        time.sleep(0.1)
    raise SystemExit(f"not within {seconds} s: {expression}")


def pixels(png):
    """The gray values of a picture, with its width and height."""
    width, height = int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")
    found = subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "image2pipe", "-c:v", "png", "-i", "-", "-f", "rawvideo", "-pix_fmt", "gray", "-"],
        input=png, stdout=subprocess.PIPE, check=True).stdout
    return found, width, height


def read(png, places):
    gray, width, height = pixels(png)
    x, y, w, h, inner_width, inner_height = places
    scale = width / inner_width

    def is_white(left, top):
        return gray[min(height - 1, int(top * scale)) * width + min(width - 1, int(left * scale))] > 128

    clock = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            clock = clock << 1 | is_white(
                x + (column + 0.5) * w / COLUMNS, y + h / 4 + (row + 0.5) * h / 2 / ROWS)
    points = sum(is_white((index + 0.5) * CELL, inner_height - CELL / 2) << index for index in range(POINT_BITS))
    return clock, points


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("url")
    parser.add_argument("--firefox", action="store_true")
    parser.add_argument("--ready", default="document.querySelector('.score-overlay .b-points')")
    parser.add_argument("--start")
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--keep", help="a folder for the screenshots")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = (Firefox if options.firefox else Chromium)(options.url, folder)
        try:
            wait(browser, "document.querySelector('[data-player]')?.antenaPlayer !== undefined")
            browser.evaluate(BEGIN)
            wait(browser, f"{PLAYER}.media.currentTime > 0 && {PLAYER}.media.videoWidth > 0 && !{PLAYER}.media.paused")
            if options.start:
                browser.evaluate(options.start)
            wait(browser, options.ready)
            browser.evaluate(PROBE)
            print(json.dumps({"ready": True}), flush=True)
            shots, end = [], time.monotonic() + options.seconds
            while time.monotonic() < end:
                shots.append(browser.shot())
            places = browser.evaluate(PLACES)
        finally:
            browser.close()
    for number, png in enumerate(shots):
        if options.keep:
            with open(os.path.join(options.keep, f"{number}.png"), "wb") as file:
                file.write(png)
        clock, points = read(png, places)
        print(json.dumps({"clock": clock, "points": points}), flush=True)


if __name__ == "__main__":
    main()
