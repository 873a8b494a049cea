/// The image that viewers see while nobody publishes: the channel's title, and a notice that it will be back.
struct SlateCard {
    let width: Int
    let height: Int
    /// The share of each pixel that is covered by letters; 255 is all of it.
    private(set) var coverage: [UInt8]

    /// The notice in the languages of the site, English and Spanish.
    static let promises = ["Back soon", "Volvemos enseguida"]

    /// The sizes of text, as shares of the card's height or width.
    private static let titleHeight = 0.1
    private static let promiseHeight = 0.042
    private static let textWidth = 0.86
    /// The smallest share of the title's size: a long title is reduced to it, and then cut.
    private static let smallestTitle = 0.4
    private static let maximumLineCount = 2
    /// The distance between lines, in cap heights.
    private static let leading = 1.75
    /// The widths of strokes, in units of the font.
    private static let titlePen = 2.4
    private static let promisePen = 2.0
    /// The largest number of Unicode scalars in a title; the rest is cut, because nobody reads it and each needs a
    /// glyph.
    private static let maximumTitleScalarCount = 200

    /// Draws the card.
    ///
    /// - Parameter title: The title in canonical decomposition. It is left out if the font lacks one of its letters.
    init(width: Int, height: Int, title: String?) {
        self.width = width
        self.height = height
        coverage = [UInt8](repeating: 0, count: width * height)
        let title = title.map {
            String(String.UnicodeScalarView($0.unicodeScalars.prefix(Self.maximumTitleScalarCount)))
        }
        let titleLines = title.flatMap { wrap($0) } ?? TitleLines(lines: [], scale: 0)
        let promiseScale = Double(height) * Self.promiseHeight / StrokeFont.capitalHeight
        let promises = Self.promises.compactMap(StrokeFont.glyphs)
        let titleAdvance = titleLines.scale * StrokeFont.capitalHeight * Self.leading
        let promiseAdvance = promiseScale * StrokeFont.capitalHeight * Self.leading
        let gap = titleLines.lines.isEmpty ? 0 : promiseAdvance * 0.6
        let blockHeight = titleAdvance * Double(titleLines.lines.count) + gap + promiseAdvance * Double(promises.count)
        var top = (Double(height) - blockHeight) / 2
        for line in titleLines.lines {
            draw(line, scale: titleLines.scale, centre: top + titleAdvance / 2, pen: Self.titlePen, brightness: 255)
            top += titleAdvance
        }
        top += gap
        for promise in promises {
            let fit = min(1, Double(width) * Self.textWidth / max(1, Self.length(promise) * promiseScale))
            draw(
                promise, scale: promiseScale * fit, centre: top + promiseAdvance / 2, pen: Self.promisePen,
                brightness: 185)
            top += promiseAdvance
        }
    }

    // MARK: Lines

    private struct TitleLines {
        var lines: [[StrokeFont.Glyph]]
        /// The pixels per unit of the font.
        var scale: Double
    }

    /// Breaks the title into lines, as large as fits; `nil` if the font lacks a letter or there are none.
    private func wrap(_ title: String) -> TitleLines? {
        let words = title.split(whereSeparator: \.isWhitespace).map { StrokeFont.glyphs(of: String($0)) }
        guard words.allSatisfy({ $0 != nil }), let space = StrokeFont.glyphs(of: " ") else { return nil }
        let drawn = words.compactMap(\.self).filter { !$0.isEmpty }
        guard !drawn.isEmpty else { return nil }
        let largest = Double(height) * Self.titleHeight / StrokeFont.capitalHeight
        var share = 1.0
        while true {
            let scale = largest * share
            let available = Double(width) * Self.textWidth / scale
            let lines = Self.lines(of: drawn, space: space, available: available)
            if lines.count <= Self.maximumLineCount, lines.allSatisfy({ Self.length($0) <= available }) {
                return TitleLines(lines: lines, scale: scale)
            }
            share -= 0.05
            guard share < Self.smallestTitle else { continue }
            let cut = lines.prefix(Self.maximumLineCount).map { Self.cut($0, available: available) }
            return TitleLines(lines: cut, scale: scale)
        }
    }

    private static func lines(
        of words: [[StrokeFont.Glyph]], space: [StrokeFont.Glyph], available: Double
    ) -> [[StrokeFont.Glyph]] {
        var lines: [[StrokeFont.Glyph]] = []
        for word in words {
            if let last = lines.last, length(last + space + word) <= available {
                lines[lines.count - 1] = last + space + word
            } else {
                lines.append(word)
            }
        }
        return lines
    }

    private static func cut(_ line: [StrokeFont.Glyph], available: Double) -> [StrokeFont.Glyph] {
        var line = line
        while line.count > 1, length(line) > available { line.removeLast() }
        return line
    }

    private static func length(_ line: [StrokeFont.Glyph]) -> Double { line.reduce(0) { $0 + $1.advance } }

    // MARK: Drawing

    /// Draws a line of text, horizontally centred.
    ///
    /// - Parameters:
    ///   - scale: The pixels per unit of the font.
    ///   - centre: The row of the middle of the capitals.
    ///   - pen: The width of a stroke, in units of the font.
    private mutating func draw(
        _ line: [StrokeFont.Glyph], scale: Double, centre: Double, pen: Double, brightness: Double
    ) {
        var left = (Double(width) - Self.length(line) * scale) / 2
        let middle = (StrokeFont.capitalTop + StrokeFont.baseline) / 2
        let radius = max(0.6, pen * scale / 2)
        for glyph in line {
            for stroke in glyph.strokes {
                let points = stroke.map {
                    StrokeFont.Point(x: left + ($0.x - glyph.left) * scale, y: centre + ($0.y - middle) * scale)
                }
                for (start, end) in zip(points, points.count == 1 ? points[...] : points.dropFirst()) {
                    drawSegment(from: start, to: end, radius: radius, brightness: brightness)
                }
            }
            left += glyph.advance * scale
        }
    }

    /// Draws a line with round ends and antialiased edges.
    private mutating func drawSegment(
        from start: StrokeFont.Point, to end: StrokeFont.Point, radius: Double, brightness: Double
    ) {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let squaredLength = dx * dx + dy * dy
        let columns = pixels(min(start.x, end.x) - radius - 1, max(start.x, end.x) + radius + 1, limit: width)
        let rows = pixels(min(start.y, end.y) - radius - 1, max(start.y, end.y) + radius + 1, limit: height)
        for row in rows {
            for column in columns {
                let (x, y) = (Double(column) + 0.5 - start.x, Double(row) + 0.5 - start.y)
                let along = squaredLength > 0 ? min(1, max(0, (x * dx + y * dy) / squaredLength)) : 0
                let (offX, offY) = (x - along * dx, y - along * dy)
                let distance = (offX * offX + offY * offY).squareRoot()
                let covered = UInt8(min(1, max(0, radius + 0.5 - distance)) * brightness)
                let index = row * width + column
                if covered > coverage[index] { coverage[index] = covered }
            }
        }
    }

    private func pixels(_ from: Double, _ to: Double, limit: Int) -> Range<Int> {
        let first = Int(min(Double(limit), max(0, from)))
        return first..<max(first, Int(min(Double(limit), max(0, to.rounded(.up)))))
    }
}
