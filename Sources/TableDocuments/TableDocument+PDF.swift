import CPango

extension TableDocument {
    /// Renders the table as PDF on pages of A4, with embedded fonts.
    ///
    /// - Parameter maximumByteCount: limit of the file.
    /// - Returns: the file.
    /// - Throws: ``PDFError``
    package func pdf(maximumByteCount: Int) throws(PDFError) -> [UInt8] {
        try PDFLibraries.load()
        guard rows.count <= Self.maximumRowCount, (1...Self.maximumColumnCount).contains(columns.count),
            columns.allSatisfy({ $0.share > 0 }), rows.allSatisfy({ $0.count == columns.count })
        else { throw PDFError(.failed, "the table of the document is not valid") }
        let output = PDFOutput(maximumByteCount: maximumByteCount)
        let canvas = try PDFCanvas(title: title, language: language, output: output)
        TablePages(self, canvas).draw()
        try canvas.finish()
        return output.bytes
    }
}

/// Breaks a table into pages and draws them.
private struct TablePages {
    private let document: TableDocument
    private let canvas: PDFCanvas
    /// The left edge and the width of each column in points.
    private let places: [(x: Double, width: Double)]

    /// Lengths in points.
    private static let margin = 42.0
    private static let gap = 8.0
    private static let rowGap = 6.0
    private static let footer = 28.0
    private static let titleStyle = AntenaPDFStyle(
        size: 18, is_bold: 1, alignment: 0, grey: 0, maximum_line_count: 3)
    private static let lineStyle = AntenaPDFStyle(
        size: 10, is_bold: 0, alignment: 0, grey: 0.3, maximum_line_count: 3)
    private static let headingStyle = AntenaPDFStyle(
        size: 8.5, is_bold: 1, alignment: 0, grey: 0.25, maximum_line_count: 2)
    /// A name of 120 characters for each of two players takes twelve lines of a narrow column.
    private static let cellStyle = AntenaPDFStyle(
        size: 9, is_bold: 0, alignment: 0, grey: 0, maximum_line_count: 14)
    private static let smallStyle = AntenaPDFStyle(
        size: 8, is_bold: 0, alignment: 0, grey: 0.35, maximum_line_count: 1)
    private static let smallEndStyle = AntenaPDFStyle(
        size: 8, is_bold: 0, alignment: 2, grey: 0.35, maximum_line_count: 1)

    private static let width = PDFCanvas.width - 2 * margin
    private static let bottom = PDFCanvas.height - margin - footer
    /// Limit of a row, so that each fits on a page below the headings, whatever its letters are.
    private static let maximumRowHeight = 420.0

    init(_ document: TableDocument, _ canvas: PDFCanvas) {
        (self.document, self.canvas) = (document, canvas)
        let total = Double(document.columns.reduce(0) { $0 + $1.share })
        let room = Self.width - Self.gap * Double(document.columns.count - 1)
        var (x, places) = (Self.margin, [(x: Double, width: Double)]())
        for column in document.columns {
            let width = room * Double(column.share) / total
            places.append((x, width))
            x += width + Self.gap
        }
        self.places = places
    }

    func draw() {
        let heights = document.rows.map { height(of: $0, Self.cellStyle) }
        let pages = pages(heights)
        for (index, rows) in pages.enumerated() {
            var y = index == 0 ? drawHead() : drawRunningHead()
            y = drawHeadings(y)
            for row in rows {
                drawRow(document.rows[row], Self.cellStyle, y, heights[row])
                y += heights[row] + Self.rowGap
                canvas.line(x: Self.margin, y: y - Self.rowGap / 2, width: Self.width, thickness: 0.4, grey: 0.8)
            }
            if index == pages.count - 1, !document.note.isEmpty { show(document.note, Self.lineStyle, y + 4) }
            drawFoot(page: index + 1, of: pages.count)
            canvas.endPage()
        }
    }

    /// The rows of each page; one page without rows for an empty table.
    private func pages(_ heights: [Double]) -> [Range<Int>] {
        let headings = height(of: document.columns.map(\.heading), Self.headingStyle) + 2 * Self.rowGap
        let note = document.note.isEmpty ? 0 : measure(document.note, Self.lineStyle) + 8
        var (pages, first, y) = ([Range<Int>](), 0, headHeight + headings)
        for (row, height) in heights.enumerated() {
            let needed = height + Self.rowGap + (row == heights.count - 1 ? note : 0)
            if y + needed > Self.bottom, row > first {
                pages.append(first..<row)
                (first, y) = (row, runningHeadHeight + headings)
            }
            y += height + Self.rowGap
        }
        return pages + [first..<heights.count]
    }

    // MARK: Parts of a page

    private var headHeight: Double {
        let lines = document.lines.reduce(0) { $0 + measure($1, Self.lineStyle) + 2 }
        return Self.margin + measure(document.title, Self.titleStyle) + 4 + lines + 10
    }

    private var runningHeadHeight: Double { Self.margin + measure(document.title, Self.smallStyle) + 10 }

    private func drawHead() -> Double {
        var y = show(document.title, Self.titleStyle, Self.margin) + 4
        for line in document.lines { y = show(line, Self.lineStyle, y) + 2 }
        return y + 10
    }

    private func drawRunningHead() -> Double { show(document.title, Self.smallStyle, Self.margin) + 10 }

    private func drawHeadings(_ y: Double) -> Double {
        let headings = document.columns.map(\.heading)
        let height = height(of: headings, Self.headingStyle)
        drawRow(headings, Self.headingStyle, y, height)
        canvas.line(x: Self.margin, y: y + height + Self.rowGap / 2, width: Self.width, thickness: 1, grey: 0.25)
        return y + height + 2 * Self.rowGap
    }

    private func drawFoot(page: Int, of count: Int) {
        let label = document.pageLabel.replacing("{page}", with: "\(page)").replacing("{count}", with: "\(count)")
        let y = PDFCanvas.height - Self.margin - measure(label, Self.smallEndStyle)
        canvas.show(label, Self.smallEndStyle, x: Self.margin, y: y, width: Self.width, height: Self.footer)
    }

    private func drawRow(_ cells: [String], _ style: AntenaPDFStyle, _ y: Double, _ height: Double) {
        for (text, place) in zip(cells, places) where !text.isEmpty {
            canvas.show(text, style, x: place.x, y: y, width: place.width, height: height)
        }
    }

    private func height(of cells: [String], _ style: AntenaPDFStyle) -> Double {
        let heights = zip(cells, places).map { canvas.height(of: $0, style, width: $1.width) }
        return min(heights.max() ?? 0, Self.maximumRowHeight)
    }

    private func measure(_ text: String, _ style: AntenaPDFStyle) -> Double {
        min(canvas.height(of: text, style, width: Self.width), Self.maximumRowHeight / 8)
    }

    /// Writes a line of the page's width and returns its lower edge.
    @discardableResult private func show(_ text: String, _ style: AntenaPDFStyle, _ y: Double) -> Double {
        let height = measure(text, style)
        canvas.show(text, style, x: Self.margin, y: y, width: Self.width, height: height)
        return y + height
    }
}
