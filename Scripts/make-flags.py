#!/usr/bin/env python3
"""Makes Sources/WebSite/Resources/flags/flags.json: small drawings of the flags of countries, one a line, by ISO 3166-1 code.

    make-flags.py [FOLDER]

FOLDER is `usr/share/iso-flags-svg/country-4x3` of Debian's package iso-flags-svg (public domain, see its copyright
file); without it, the package is fetched with `apt-get download` and unpacked in a temporary folder. The same package
gives the same bytes.

The drawings are for 24 to 400 pixels: every outline becomes a polygon in whole units of a grid of 1280 × 960, curves
and corners keep within a fraction of a pixel, and shapes that nobody sees at that size are left out. A flag that is
still large, such as one with a coat of arms, is simplified further until it fits into its budget.
Standard library only.
"""
import glob
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

WIDTH, HEIGHT = 1280, 960
BUDGET = 5_000
# Deviation of outlines in units, and the smallest shape that is drawn, from fine to coarse.
STEPS = [(1.0, 3), (1.6, 6), (2.4, 10), (3.4, 14), (4.8, 20), (6.5, 28), (9, 40)]
IDENTITY = (1, 0, 0, 1, 0, 0)
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
NAMES = {"black": "#000", "white": "#fff", "red": "#f00", "blue": "#00f", "green": "#008000", "yellow": "#ff0",
         "gold": "#ffd700", "gray": "#808080", "grey": "#808080", "orange": "#ffa500", "navy": "#000080",
         "maroon": "#800000", "silver": "#c0c0c0", "lime": "#0f0", "purple": "#800080"}
# The small crosses of Georgia are cut out of circles, which this script cannot; the arm of one, as it looks.
REPLACED = {"ge.svg": {"varm": "M-7.5-19.5L7.5-19.5L3.6 0L7.5 19.5L-7.5 19.5L-3.6 0z"}}
# The package has the flag of the British Virgin Islands for those of the United States as well.
WRONG = {"VI"}
XLINK = "{http://www.w3.org/1999/xlink}href"


def times(m, n):
    a, b, c, d, e, f = m
    g, h, i, j, k, l = n
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f)


def numbers(text):
    return [float(n) for n in NUMBER.findall(text or "")]


def length(text, standard=0.0):
    found = numbers(text)
    return found[0] if found else standard


def transform(text):
    m = IDENTITY
    for name, inner in re.findall(r"(\w+)\s*\(([^)]*)\)", text or ""):
        n = numbers(inner)
        if name == "matrix":
            t = tuple(n)
        elif name == "translate":
            t = (1, 0, 0, 1, n[0], n[1] if len(n) > 1 else 0)
        elif name == "scale":
            t = (n[0], 0, 0, n[1] if len(n) > 1 else n[0], 0, 0)
        elif name == "rotate":
            s, c = math.sin(math.radians(n[0])), math.cos(math.radians(n[0]))
            t = (c, s, -s, c, 0, 0)
            if len(n) == 3:
                t = times(times((1, 0, 0, 1, n[1], n[2]), t), (1, 0, 0, 1, -n[1], -n[2]))
        elif name == "skewX":
            t = (1, 0, math.tan(math.radians(n[0])), 1, 0, 0)
        else:
            t = (1, math.tan(math.radians(n[0])), 0, 1, 0, 0)
        m = times(m, t)
    return m


def curve(points, start, controls):
    """Appends a Bézier curve as short lines."""
    p = [start] + controls
    size = sum(math.dist(a, b) for a, b in zip(p, p[1:]))
    count = 24 if size else 1
    for step in range(1, count + 1):
        t, q = step / count, p
        while len(q) > 1:
            q = [((1 - t) * a[0] + t * b[0], (1 - t) * a[1] + t * b[1]) for a, b in zip(q, q[1:])]
        points.append(q[0])


def arc(points, start, rx, ry, angle, large, sweep, end):
    """Appends an elliptical arc (SVG 1.1, F.6.5) as short lines."""
    if start == end:
        return
    if rx == 0 or ry == 0:
        points.append(end)
        return
    rx, ry = abs(rx), abs(ry)
    s, c = math.sin(math.radians(angle)), math.cos(math.radians(angle))
    dx, dy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    x, y = c * dx + s * dy, -s * dx + c * dy
    big = x * x / rx / rx + y * y / ry / ry
    if big > 1:
        rx, ry = rx * math.sqrt(big), ry * math.sqrt(big)
    top = max(0.0, rx * rx * ry * ry - rx * rx * y * y - ry * ry * x * x)
    root = math.sqrt(top / (rx * rx * y * y + ry * ry * x * x)) * (-1 if large == sweep else 1)
    cx, cy = root * rx * y / ry, -root * ry * x / rx
    first = math.atan2((y - cy) / ry, (x - cx) / rx)
    last = math.atan2((-y - cy) / ry, (-x - cx) / rx)
    if sweep and last < first:
        last += 2 * math.pi
    if not sweep and last > first:
        last -= 2 * math.pi
    mx, my = c * cx - s * cy + (start[0] + end[0]) / 2, s * cx + c * cy + (start[1] + end[1]) / 2
    count = 36
    for step in range(1, count + 1):
        t = first + (last - first) * step / count
        u, v = rx * math.cos(t), ry * math.sin(t)
        points.append((c * u - s * v + mx, s * u + c * v + my))


def outlines(d):
    """The subpaths of a path as (points, is closed)."""
    tokens = re.findall(r"[MmLlHhVvCcSsQqTtAaZz]|" + NUMBER.pattern, d)
    found, points, at = [], [], (0.0, 0.0)
    start, before, control, index, command = at, "", at, 0, ""

    def take(count):
        nonlocal index
        values = [float(t) for t in tokens[index:index + count]]
        index += count
        return values

    while index < len(tokens):
        if tokens[index][0].isalpha():
            command = tokens[index]
            index += 1
        elif command in "Mm":
            command = "L" if command == "M" else "l"
        low = command.lower()
        origin = at if command.islower() else (0.0, 0.0)
        move = lambda x, y: (origin[0] + x, origin[1] + y)
        if low == "z":
            if points:
                found.append((points, True))
            points, at, before = [], start, low
            continue
        if low == "m":
            if len(points) > 1:
                found.append((points, False))
            at = start = move(*take(2))
            points, before = [at], low
            continue
        if not points:
            points = [at]
        if low == "a":
            # Flags may stand without a space before the next number.
            rx, ry, angle = take(3)
            flags = []
            while len(flags) < 2:
                token = tokens[index]
                flags.append(token[0] == "1")
                if len(token) > 1:
                    tokens[index] = token[1:]
                else:
                    index += 1
            end = move(*take(2))
            arc(points, at, rx, ry, angle, flags[0], flags[1], end)
            at = end
        elif low in "lhv":
            if low == "l":
                at = move(*take(2))
            elif low == "h":
                at = (move(take(1)[0], 0)[0], at[1])
            else:
                at = (at[0], move(0, take(1)[0])[1])
            points.append(at)
        else:
            n = take({"c": 6, "s": 4, "q": 4, "t": 2}[low])
            controls = [move(n[i], n[i + 1]) for i in range(0, len(n), 2)]
            if low in "st":
                isSmooth = before in ("cs" if low == "s" else "qt")
                mirrored = (2 * at[0] - control[0], 2 * at[1] - control[1]) if isSmooth else at
                controls.insert(0, mirrored)
            curve(points, at, controls)
            control, at = controls[-2], controls[-1]
        before = low
    if len(points) > 1:
        found.append((points, False))
    return found


def shape(element, tag):
    """The outlines of a basic shape or path."""
    get = lambda name: length(element.get(name))
    if tag == "path":
        return outlines(element.get("d", ""))
    if tag == "rect":
        x, y, w, h = get("x"), get("y"), get("width"), get("height")
        rx, ry = element.get("rx") or element.get("ry"), element.get("ry") or element.get("rx")
        rx, ry = min(length(rx), w / 2), min(length(ry), h / 2)
        if rx > 0 and ry > 0:
            return outlines(f"M{x + rx} {y}H{x + w - rx}a{rx} {ry} 0 0 1 {rx} {ry}V{y + h - ry}a{rx} {ry} 0 0 1 {-rx} {ry}"
                            f"H{x + rx}a{rx} {ry} 0 0 1 {-rx} {-ry}V{y + ry}a{rx} {ry} 0 0 1 {rx} {-ry}z")
        return [([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], True)]
    if tag in ("circle", "ellipse"):
        rx, ry = (get("r"), get("r")) if tag == "circle" else (get("rx"), get("ry"))
        return [([(get("cx") + rx * math.cos(a * math.pi / 48), get("cy") + ry * math.sin(a * math.pi / 48))
                  for a in range(96)], True)]
    if tag in ("polygon", "polyline"):
        n = numbers(element.get("points"))
        return [(list(zip(n[::2], n[1::2])), tag == "polygon")]
    if tag == "line":
        return [([(get("x1"), get("y1")), (get("x2"), get("y2"))], False)]
    return []


def simplified(points, tolerance):
    """Ramer–Douglas–Peucker without recursion."""
    if len(points) < 3:
        return points
    keep, work = {0, len(points) - 1}, [(0, len(points) - 1)]
    while work:
        first, last = work.pop()
        (ax, ay), (bx, by) = points[first], points[last]
        size, worst, place = math.hypot(bx - ax, by - ay), tolerance, None
        for i in range(first + 1, last):
            x, y = points[i]
            off = abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / size if size else math.hypot(x - ax, y - ay)
            if off > worst:
                worst, place = off, i
        if place is not None:
            keep.add(place)
            work += [(first, place), (place, last)]
    return [points[i] for i in sorted(keep)]


def ring(points, tolerance):
    """A closed outline: from its first corner to the farthest one, and back."""
    if len(points) < 4:
        return points
    far = max(range(len(points)), key=lambda i: math.dist(points[0], points[i]))
    there, back = simplified(points[:far + 1], tolerance), simplified(points[far:] + points[:1], tolerance)
    return there + back[1:-1]


def colour(text, paints):
    text = (text or "").strip()
    if text.startswith("url"):
        return paints.get(text[text.find("#") + 1:text.find(")")], "none")
    text = NAMES.get(text.lower(), text.lower())
    if re.fullmatch(r"#([0-9a-f])\1([0-9a-f])\2([0-9a-f])\3", text):
        text = "#" + text[1::2]
    return text


class Flag:
    def __init__(self, file):
        self.root = ElementTree.parse(file).getroot()
        self.ids = {e.get("id"): e for e in self.root.iter() if e.get("id")}
        for identifier, outline in REPLACED.get(os.path.basename(file), {}).items():
            self.ids[identifier].set("d", outline)
        self.paints = {}
        for identifier, element in self.ids.items():
            at, seen = element, set()
            while at is not None and "Gradient" in str(at.tag) and id(at) not in seen:
                seen.add(id(at))
                stops = [e for e in at if str(e.tag).endswith("stop")]
                if stops:
                    self.paints[identifier] = colour(self.style(stops[0]).get("stop-color", "#000"), {})
                    break
                at = self.ids.get(at.get(XLINK, at.get("href", "#"))[1:])
        width, height = length(self.root.get("width"), 640), length(self.root.get("height"), 480)
        box = numbers(self.root.get("viewBox")) or [0, 0, width, height]
        # As `preserveAspectRatio` has it: the whole of the box, in the middle.
        scale = min(width / box[2], height / box[3])
        m = (scale, 0, 0, scale, (width - box[2] * scale) / 2 - box[0] * scale,
             (height - box[3] * scale) / 2 - box[1] * scale)
        self.shapes = []
        self.walk(self.root, times((WIDTH / width, 0, 0, HEIGHT / height, 0, 0), m), {"fill": "#000"}, 1, False)

    @staticmethod
    def style(element):
        found = {k: v for k, v in element.attrib.items() if "}" not in k}
        for part in element.get("style", "").split(";"):
            name, _, value = part.partition(":")
            if value:
                found[name.strip()] = value.strip()
        return found

    def walk(self, element, m, inherited, opacity, isUsed):
        tag = str(element.tag).rsplit("}", 1)[-1]
        if tag in ("defs", "clipPath", "metadata", "marker", "text", "desc", "title", "linearGradient", "symbol",
                   "namedview", "image", "mask") and not isUsed:
            return
        own = self.style(element)
        if own.get("display") == "none":
            return
        m = times(m, transform(element.get("transform")))
        opacity *= length(own.get("opacity"), 1.0)
        names = ("fill", "stroke", "stroke-width", "fill-rule", "fill-opacity", "stroke-opacity", "stroke-linejoin",
                 "stroke-linecap", "color")
        style = {**inherited, **{k: own[k] for k in names if k in own}}
        if tag == "use":
            target = self.ids.get(element.get(XLINK, element.get("href", "#"))[1:])
            if target is not None:
                moved = times(m, (1, 0, 0, 1, length(element.get("x")), length(element.get("y"))))
                self.walk(target, moved, style, opacity, True)
            return
        found = shape(element, tag)
        if found:
            self.add(found, m, style, opacity)
        for child in element:
            self.walk(child, m, style, opacity, False)

    def add(self, found, m, style, opacity):
        a, b, c, d, e, f = m
        moved = [([(a * x + c * y + e, b * x + d * y + f) for x, y in points], closed) for points, closed in found]
        scale = math.sqrt(abs(a * d - b * c))
        paint = lambda name: colour(style.get(name, "none"), self.paints)
        see = lambda name: round(opacity * length(style.get(name), 1.0), 2)
        fill, stroke = paint("fill"), paint("stroke")
        fill = style.get("color", "#000") if fill == "currentcolor" else fill
        fill = "none" if see("fill-opacity") == 0 else fill
        stroke = "none" if see("stroke-opacity") == 0 else stroke
        if fill == "none" and stroke == "none":
            return
        # A point of a printer is 1.25 pixels; `1pt` is what editors wrote for "thin".
        width = length(style.get("stroke-width"), 1.0) * (1.25 if "pt" in style.get("stroke-width", "") else 1) * scale
        self.shapes.append((moved, fill, stroke, width, style.get("fill-rule") == "evenodd", see("fill-opacity"),
                            style.get("stroke-linejoin") == "round"))

    def drawing(self, tolerance, smallest):
        parts, before = [], None
        for found, fill, stroke, width, even, opacity, isRound in self.shapes:
            stroke = "none" if width < smallest / 4 else stroke
            if fill == "none" and stroke == "none":
                continue
            texts = []
            for points, closed in found:
                xs, ys = [p[0] for p in points], [p[1] for p in points]
                reach = width if stroke != "none" else 0
                size = math.hypot(max(xs) - min(xs) + reach, max(ys) - min(ys) + reach)
                if size < smallest or max(xs) + reach < 0 or max(ys) + reach < 0 or min(xs) - reach > WIDTH \
                        or min(ys) - reach > HEIGHT:
                    continue
                # What is far outside is cut off anyway.
                points = [(min(max(x, -WIDTH), 2 * WIDTH), min(max(y, -HEIGHT), 2 * HEIGHT)) for x, y in points]
                outline = ring(points, tolerance) if closed or stroke == "none" else simplified(points, tolerance)
                outline = [(round(x), round(y)) for x, y in outline]
                corners = [p for i, p in enumerate(outline) if i == 0 or p != outline[i - 1]]
                if len(corners) < (3 if stroke == "none" else 2):
                    continue
                texts.append(self.path(corners, closed))
            if not texts:
                continue
            fill_text = "" if fill == "#000" else f' fill="{fill}"'
            kind = (fill, stroke, width, even, opacity, isRound)
            attributes = fill_text
            if opacity != 1 and fill != "none":
                attributes += f' fill-opacity="{opacity}"'
            if even:
                attributes += ' fill-rule="evenodd"'
            if stroke != "none":
                attributes += f' stroke="{stroke}" stroke-width="{round(width, 1):g}"'
                if isRound:
                    attributes += ' stroke-linejoin="round"'
            # Opaque shapes of one colour after another are one path, unless holes would show.
            if kind == before and opacity == 1 and stroke == "none" and not even and len(texts) == 1:
                parts[-1] = (parts[-1][0], parts[-1][1] + [None] + texts)
            else:
                parts.append((attributes, texts))
            before = kind
        drawn = []
        for attributes, texts in parts:
            if None in texts:
                drawn.append(f"<g{attributes}>" + "".join(
                    f'<path d="{"".join(run)}"/>' for run in self.runs(texts)) + "</g>")
            else:
                drawn.append(f'<path{attributes} d="{"".join(texts)}"/>')
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">' + "".join(drawn) + "</svg>")

    @staticmethod
    def runs(texts):
        run, found = [], []
        for text in texts + [None]:
            if text is None:
                found.append(run)
                run = []
            else:
                run.append(text)
        return found

    @staticmethod
    def path(corners, closed):
        text, at = f"M{corners[0][0]} {corners[0][1]}", corners[0]
        for x, y in corners[1:]:
            dx, dy = x - at[0], y - at[1]
            if dy == 0:
                text += f"h{dx}"
            elif dx == 0:
                text += f"v{dy}"
            else:
                text += f"l{dx}" + (f" {dy}" if dy >= 0 else str(dy))
            at = (x, y)
        return text + ("z" if closed else "")

    @property
    def smallest_drawing(self):
        for tolerance, smallest in STEPS:
            drawn = self.drawing(tolerance, smallest)
            if len(drawn) <= BUDGET:
                break
        return drawn


def codes():
    swift = open("Sources/Scoreboard/Players/Countries.swift", encoding="utf-8").read()
    return re.findall(r"\b[A-Z]{2}\b", swift.split('"""')[1])


def make(folder):
    drawn = {}
    for code in codes():
        file = os.path.join(folder, f"{code.lower()}.svg")
        if code not in WRONG and os.path.exists(file):
            drawn[code] = Flag(file).smallest_drawing
    lines = ",\n".join(f"{json.dumps(code)}: {json.dumps(text)}" for code, text in sorted(drawn.items()))
    with open("Sources/WebSite/Resources/flags/flags.json", "w", encoding="utf-8") as output:
        output.write("{\n" + lines + "\n}\n")
    missing = sorted(set(codes()) - set(drawn))
    sizes = sorted((len(text), code) for code, text in drawn.items())
    print(f"{len(drawn)} flags, {sum(s for s, _ in sizes)} bytes, without a drawing: {' '.join(missing) or 'none'}; "
          f"largest: {sizes[-8:]}")


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    if len(sys.argv) > 1:
        make(sys.argv[1])
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["apt-get", "download", "iso-flags-svg"], cwd=folder, check=True)
        subprocess.run(["dpkg-deb", "-x", glob.glob(f"{folder}/*.deb")[0], folder], check=True)
        make(f"{folder}/usr/share/iso-flags-svg/country-4x3")


if __name__ == "__main__":
    main()
