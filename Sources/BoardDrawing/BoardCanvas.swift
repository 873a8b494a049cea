import CPango
package import TableDocuments

/// Draws boards into images. Belongs to one thread.
package struct BoardCanvas {
    /// The size of the frames in pixels.
    private let frameWidth: Int
    private let frameHeight: Int

    /// Sizes of frames from which a board can be read, and those of the largest quality.
    private static let frameSides = 64...8_192
    /// The rows of a board that would fill a frame from top to bottom.
    private static let rowsOfFrame = 18.0
    private static let smallestRow = 10.0
    /// The largest shares of the frame's width that a name and the board take.
    private static let largestName = 0.4
    private static let largestBoard = 0.9

    /// Loads cairo and pango, which a confined process must have loaded before (`PDFLibraries`).
    ///
    /// - Parameters:
    ///   - frameWidth: the width of the frames in pixels.
    ///   - frameHeight: their height in pixels.
    /// - Throws: `PDFError` if the libraries are not installed.
    package init(frameWidth: Int, frameHeight: Int) throws(PDFError) {
        try PDFLibraries.load()
        (self.frameWidth, self.frameHeight) = (frameWidth, frameHeight)
    }

    /// Has fonts found for the usual scripts, so that the first board of this thread comes at once. Pango starts
    /// threads for it.
    package static func warmUp() throws(PDFError) {
        let side = BoardPicture.Side(
            name: "Aa Ωω Яя 日本 한 אב عر", countries: ["ES"], serves: true, columns: ["1"], points: "10")
        _ = try BoardCanvas(frameWidth: 640, frameHeight: 360).image(
            BoardText(sides: [side, side], lines: ["0:00"], language: "en"), matrix: .bt709)
    }

    /// Draws a board.
    ///
    /// - Returns: `nil` if the board is empty, or the frames are too small for one.
    /// - Throws: `PDFError`
    package func image(_ text: BoardText, matrix: BoardImage.Matrix) throws(PDFError) -> BoardImage? {
        guard Self.frameSides.contains(frameWidth), Self.frameSides.contains(frameHeight), !text.sides.isEmpty else {
            return nil
        }
        let margin = Self.even(Double(min(frameWidth, frameHeight)) / 24)
        // A narrow, tall frame has no room for large letters.
        let row = max(Self.smallestRow, (Double(min(frameHeight, frameWidth * 9 / 16)) / Self.rowsOfFrame).rounded())
        let width = Self.even(min(Double(frameWidth) * Self.largestBoard, Double(frameWidth - 2 * margin)))
        let height = min(
            Self.even(row * Double(text.sides.count) + Self.line(row) * Double(text.lines.count)), frameHeight - margin)
        guard width >= 16, height >= 8 else { return nil }
        guard let image = antena_image_create(Int32(width), Int32(height / 2 * 2), text.language) else {
            throw PDFError(.failed, "there is no memory for a board")
        }
        defer { antena_image_destroy(image) }
        let drawing = Drawing(image: image, text: text, row: row, limit: (Double(width), Double(frameWidth)))
        let used = min(width, Self.even(drawing.draw()))
        var stride: Int32 = 0
        guard let pixels = antena_image_pixels(image, &stride) else {
            throw PDFError(.failed, "a board could not be drawn")
        }
        return BoardImage(
            pixels, stride: Int(stride), x: margin, y: margin, width: used, height: height / 2 * 2, matrix: matrix)
    }

    /// The height of a line below the rows, in whole pixels as that of a row.
    private static func line(_ row: Double) -> Double { (row * 0.8).rounded() }

    private static func even(_ length: Double) -> Int { max(2, Int((length / 2).rounded(.up)) * 2) }

    /// One board on its way to pixels. Lengths are pixels.
    private struct Drawing {
        let image: OpaquePointer
        let text: BoardText
        let row: Double
        /// The widths of the image and of the frame.
        let limit: (image: Double, frame: Double)

        private static let white = AntenaColor(red: 1, green: 1, blue: 1, alpha: 1)
        private static let dim = AntenaColor(red: 0.72, green: 0.76, blue: 0.82, alpha: 1)
        private static let dark = AntenaColor(red: 0.06, green: 0.08, blue: 0.12, alpha: 1)
        private static let ground = AntenaColor(red: 0.06, green: 0.08, blue: 0.12, alpha: 0.86)
        private static let shade = AntenaColor(red: 0.13, green: 0.17, blue: 0.24, alpha: 0.86)
        private static let accent = AntenaColor(red: 1, green: 0.82, blue: 0.25, alpha: 1)

        private func style(
            _ color: AntenaColor, size: Double = 0.58, isBold: Bool = false, alignment: Int32 = 0
        ) -> AntenaImageStyle {
            AntenaImageStyle(size: row * size, is_bold: isBold ? 1 : 0, alignment: alignment, color: color)
        }

        /// How the lines below the rows are set.
        private var below: AntenaImageStyle { style(Self.white, size: 0.48) }

        private func width(_ text: String, _ style: AntenaImageStyle) -> Double {
            text.isEmpty ? 0 : antena_image_measure(image, text, style).rounded(.up)
        }

        /// - Returns: the width of the board.
        func draw() -> Double {
            let gap = row * 0.3
            let (name, country) = (style(Self.white), style(Self.dim, size: 0.42))
            let number = style(Self.dim, alignment: 1)
            let points = style(Self.dark, size: 0.62, isBold: true, alignment: 1)
            let codes = text.sides.map { $0.countries.joined(separator: " ") }
            let codesWidth = codes.map { width($0, country) }.max() ?? 0
            let columnCount = text.sides.map(\.columns.count).max() ?? 0
            let columns = (0..<columnCount).map { index in
                max(row * 0.8, gap + (text.sides.map { width($0.column(index), number) }.max() ?? 0))
            }
            let widestPoints = text.sides.map { width($0.points, points) }.max() ?? 0
            let pointsWidth = widestPoints > 0 ? max(row, widestPoints + gap) : 0
            let start = row * 0.7 + (codesWidth > 0 ? codesWidth + gap : 0)
            let rest = columns.reduce(pointsWidth, +)
            let widest = text.sides.map { width($0.name, name) }.max() ?? 0
            let most = min(limit.frame * BoardCanvas.largestName, limit.image - start - gap - rest)
            // A line that is longer than the rows makes room for their names.
            let line = text.lines.map { width($0, below) + 2 * gap }.max() ?? 0
            let total = min(
                limit.image, max(start + max(1, min(widest + 1, most)) + gap + rest, min(line, limit.frame / 2)))
            let nameWidth = max(1, total - start - gap - rest)
            for (index, side) in text.sides.enumerated() {
                let y = row * Double(index)
                antena_image_fill(image, Self.ground, 0, y, total, row)
                if side.serves { antena_image_dot(image, Self.accent, row * 0.36, y + row / 2, row * 0.14) }
                if codesWidth > 0 { antena_image_show(image, codes[index], country, row * 0.7, y, codesWidth, row) }
                antena_image_show(image, side.name, name, start, y, nameWidth, row)
                var x = start + nameWidth + gap
                for (place, column) in columns.enumerated() {
                    antena_image_show(image, side.column(place), number, x, y, column, row)
                    x += column
                }
                guard pointsWidth > 0 else { continue }
                antena_image_fill(image, Self.accent, x, y, pointsWidth, row)
                antena_image_show(image, side.points, points, x, y, pointsWidth, row)
            }
            drawLines(width: total, gap)
            return total
        }

        private func drawLines(width total: Double, _ gap: Double) {
            for (index, line) in text.lines.enumerated() {
                let height = BoardCanvas.line(row)
                let y = row * Double(text.sides.count) + height * Double(index)
                antena_image_fill(image, Self.shade, 0, y, total, height)
                antena_image_show(image, line, below, gap, y, max(1, total - 2 * gap), height)
            }
        }
    }
}

extension BoardPicture.Side {
    fileprivate func column(_ index: Int) -> String { columns.indices.contains(index) ? columns[index] : "" }
}
