import Foundation
import MediaCore

extension PieChart {
    private static let centre = (x: 150.0, y: 150.0)
    private static let radius = 120.0
    private static let legendLeft = 310.0
    private static let rowHeight = 52.0

    /// Renders the chart as a complete SVG document. The labels are in a legend beside the pie, one row each, so that
    /// they cannot overlap however thin the slices are; a row and its slice share a colour, and both are in the same
    /// order.
    ///
    /// - Parameter form: a pie, or a bar for each category whose length is its share of the largest.
    package func svg(_ form: Form = .pie) -> String {
        let height = max(300, Double(categories.count) * Self.rowHeight + 40)
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 \(Self.format(height))" width="600" \
            height="\(Self.format(height))" role="img" aria-labelledby="pie-title pie-description">
            <title id="pie-title">\(XMLText.escaped(title))</title>
            <desc id="pie-description">\(XMLText.escaped(summary))</desc>
            \(Self.style)

            """
        switch form {
        case _ where total == 0: svg += emptyPie() + legend(height: height)
        case .pie: svg += slices() + legend(height: height)
        case .bar: svg += bars(height: height)
        }
        svg += "</svg>\n"
        return svg
    }

    /// The content of the pie in one line: "Live channels: 1 (10 %), …"; the text for an empty chart if all counts are
    /// 0.
    package var summary: String {
        guard total > 0 else { return emptyText }
        return zip(categories, percentages).map { "\($0.name): \($0.count)\(unit) (\($1) %)" }.joined(separator: ", ")
    }

    // MARK: Parts

    /// The palette of Okabe and Ito. Its colours differ in lightness as well as in hue, for viewers with colour vision
    /// deficiency.
    private static let style = """
        <style>
        svg{background:#fff}
        text{font:500 17px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:#17202b}
        .n{font-weight:400;font-size:15px;fill:#4a5666}
        .s{stroke:#fff;stroke-width:2;stroke-linejoin:round}
        .c0{fill:#d1495b}.c1{fill:#2f6fb7}.c2{fill:#e3a008}.c3{fill:#1b8a6b}.c4{fill:#7a5195}.c5{fill:#6b7684}
        .e{fill:none;stroke:#aab4c0;stroke-width:2;stroke-dasharray:6 6}
        .r{fill:none;stroke:#fff;stroke-width:124;stroke-dasharray:100}
        @media (prefers-reduced-motion:no-preference){.r{animation:draw .7s ease-out}}
        @keyframes draw{from{stroke-dashoffset:100}}
        @media (prefers-color-scheme:dark){svg{background:#15181e}
        text{fill:#eef2f6}.n{fill:#b4c0cd}.s{stroke:#141a21}
        .c0{fill:#f0788a}.c1{fill:#6aa8ee}.c2{fill:#f5c244}.c3{fill:#4fc3a1}.c4{fill:#b48ad6}.c5{fill:#98a4b3}
        .e{stroke:#5c6978}}
        </style>
        """
    private static let colourCount = 6

    private func emptyPie() -> String {
        """
        <circle class="e" cx="150" cy="150" r="120"/>
        <text x="150" y="156" text-anchor="middle">\(XMLText.escaped(emptyText))</text>

        """
    }

    /// The slices, which a ring of growing length uncovers; it is whole in a program that shows no motion.
    private func slices() -> String {
        var svg = """
            <mask id="pie-reveal"><circle class="r" cx="150" cy="150" r="61" pathLength="100" \
            transform="rotate(-90 150 150)"/></mask>
            <g mask="url(#pie-reveal)">

            """
        var start = 0.0
        for (index, angle) in angles.enumerated() where angle > 0 {
            let colour = "c\(index % Self.colourCount)"
            if angle >= 360 {
                // An arc from a point to itself draws nothing.
                svg += "<circle class=\"s \(colour)\" cx=\"150\" cy=\"150\" r=\"120\"/>\n"
            } else {
                svg += "<path class=\"s \(colour)\" d=\"\(Self.sector(from: start, to: start + angle))\"/>\n"
            }
            start += angle
        }
        return svg + "</g>\n"
    }

    private static let barLeft = 20.0
    private static let longestBar = 560.0
    /// Shorter ones would be invisible.
    private static let shortestBar = 4.0

    /// One row for each category: its name and number, and a bar below them.
    private func bars(height: Double) -> String {
        let (percentages, largest) = (percentages, Double(categories.map(\.count).max() ?? 0))
        let row = (height - 40) / Double(max(1, categories.count))
        var svg = ""
        for (index, category) in categories.enumerated() {
            let y = 20 + Double(index) * row
            let length =
                category.count == 0 || largest == 0
                ? 0 : max(Self.shortestBar, Double(category.count) / largest * Self.longestBar)
            svg += """
                <text x="\(Self.format(Self.barLeft))" y="\(Self.format(y + 22))">\(XMLText.escaped(category.name))</text>
                <text class="n" x="580" y="\(Self.format(y + 22))" text-anchor="end">\(category.count)\(unit) · \(percentages[index]) %</text>
                <rect class="c\(index % Self.colourCount)" x="\(Self.format(Self.barLeft))" y="\(Self.format(y + 34))" \
                width="\(Self.format(length))" height="\(Self.format(max(8, row - 52)))" rx="4"/>

                """
        }
        return svg
    }

    private func legend(height: Double) -> String {
        let percentages = percentages
        let top = (height - Double(categories.count) * Self.rowHeight) / 2
        var svg = ""
        for (index, category) in categories.enumerated() {
            let y = top + Double(index) * Self.rowHeight
            let label = "\(category.count)\(unit)" + (total > 0 ? " · \(percentages[index]) %" : "")
            svg += """
                <rect class="c\(index % Self.colourCount)" x="\(Self.format(Self.legendLeft))" y="\(Self.format(y + 8))" \
                width="18" height="18" rx="4"/>
                <text x="\(Self.format(Self.legendLeft + 30))" y="\(Self.format(y + 22))">\
                \(XMLText.escaped(category.name))</text>
                <text class="n" x="\(Self.format(Self.legendLeft + 30))" y="\(Self.format(y + 42))">\(label)</text>

                """
        }
        return svg
    }

    // MARK: Geometry

    /// The path of a sector; angles in degrees, clockwise from the top.
    private static func sector(from start: Double, to end: Double) -> String {
        let (startX, startY) = point(at: start)
        let (endX, endY) = point(at: end)
        let isLarge = end - start > 180 ? 1 : 0
        return "M\(format(centre.x)) \(format(centre.y))L\(format(startX)) \(format(startY))"
            + "A\(format(radius)) \(format(radius)) 0 \(isLarge) 1 \(format(endX)) \(format(endY))Z"
    }

    private static func point(at degrees: Double) -> (x: Double, y: Double) {
        let radians = degrees * .pi / 180
        return (centre.x + radius * sin(radians), centre.y - radius * cos(radians))
    }

    /// Formats a number with at most two decimals, independent of the locale.
    private static func format(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        guard hundredths % 100 != 0 else { return "\(hundredths / 100)" }
        let fraction = abs(hundredths % 100)
        return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
