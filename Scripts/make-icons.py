#!/usr/bin/env python3
"""Draws the icons of the site's app from Sources/WebSite/Resources/icon.svg with Chromium.

    make-icons.py

The icons are in git; run it when the drawing changes. Standard library only.
"""
import base64
import importlib.util
import os
import shutil
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SPEC = importlib.util.spec_from_file_location(
    "drive_chromium", os.path.join(HERE, "..", "Tests", "Support", "drive-chromium.py"))
CHROMIUM = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(CHROMIUM)
RESOURCES = os.path.join(HERE, "..", "Sources", "WebSite", "Resources")
# The name of the file, its size in pixels, and whether systems cut the corners of the icon themselves.
ICONS = [("icon-192", 192, False), ("icon-512", 512, False), ("icon-full-512", 512, True), ("icon-touch-180", 180, True)]


def main():
    with open(os.path.join(RESOURCES, "icon.svg"), encoding="utf-8") as file:
        drawing = file.read()
    profile = tempfile.mkdtemp(prefix="antena-icons-")
    process, port = CHROMIUM.start_browser(profile, shutil.which("chromium"))
    try:
        page = CHROMIUM.Page(CHROMIUM.page_socket(port))
        page.call("Page.enable")
        page.call("Emulation.setDefaultBackgroundColorOverride", color={"r": 0, "g": 0, "b": 0, "a": 0})
        for name, size, is_full in ICONS:
            shape = drawing
            if is_full:
                # The drawing keeps within the circle that every system shows of an icon.
                shape = shape.replace(' rx="14"', "").replace("<g ", '<g transform="translate(6.4 6.4) scale(.8)"><g ', 1)
                shape = shape.replace("</svg>", "</g></svg>")
            document = f"<body style='margin:0'>{shape.replace('<svg ', f'<svg width={size} height={size} style=display:block ', 1)}"
            encoded = base64.b64encode(document.encode()).decode()
            page.call("Emulation.setDeviceMetricsOverride", width=size, height=size, deviceScaleFactor=1, mobile=False)
            page.call("Page.navigate", url=f"data:text/html;base64,{encoded}")
            page.wait("document.readyState === 'complete' && document.querySelector('svg') !== null", 30)
            image = page.call("Page.captureScreenshot", format="png")["data"]
            with open(os.path.join(RESOURCES, "icons", f"{name}.png"), "wb") as output:
                output.write(base64.b64decode(image))
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(profile, ignore_errors=True)


if __name__ == "__main__":
    main()
