package import Accounts
package import Community
import Foundation
import HTTPEndpoints
import MediaCore
import Workflows

/// The map of a competition as an SVG element for a page: the ground, the names of stages, a scale, and a link for each
/// video that is on it. It needs no script, and takes its colours from the style sheet.
package struct MapDrawing {
    private let map: CompetitionMap
    private let projection: MapProjection
    /// The path of the image; `nil` for a map of lines.
    private let image: String?
    /// The videos on the drawing, with their positions.
    private let points: [(point: MapPoint, position: Position)]
    /// The number of videos from places that the map does not show.
    package let outsideCount: Int

    private typealias Position = (x: Double, y: Double)

    /// The radius of the circle of a video.
    private static let radius = 13.0
    /// Videos of one place are drawn beside each other: those of a square of this side.
    private static let cellSide = 8.0
    /// The distance of the first of them from the place.
    private static let spread = 26.0
    /// The angle between two of them, with which they never meet (the golden angle, in radians).
    private static let turn = 2.399_963
    /// Limit of a name in the drawing; all of it is below the drawing.
    private static let maximumLabelLength = 30
    private static let letterWidth = 13.0
    private static let lineHeight = 28.0

    /// - Parameters:
    ///   - map: the map.
    ///   - points: the videos, the newest first.
    ///   - competition: whose map it is.
    package init(_ map: CompetitionMap, _ points: [MapPoint], of competition: OpaqueID) {
        self.map = map
        image = ResourcePaths.image(of: map, ofCompetition: competition)
        let projection = MapProjection(map)
        self.projection = projection
        let all = points.map { (point: $0, position: projection.position(of: $0.place)) }
        let shown = all.filter { projection.contains($0.position) }
        outsideCount = all.count - shown.count
        self.points = Self.spread(shown, height: projection.height)
    }

    private static func spread(
        _ points: [(point: MapPoint, position: Position)], height: Double
    ) -> [(point: MapPoint, position: Position)] {
        var counts: [SIMD2<Int>: Int] = [:]
        return points.map { point, position in
            let cell = SIMD2(Int(position.x / cellSide), Int(position.y / cellSide))
            let count = counts[cell, default: 0]
            counts[cell] = count + 1
            guard count > 0 else { return (point, position) }
            let (distance, angle) = (spread * Double(count).squareRoot(), turn * Double(count))
            return (
                point,
                (
                    min(max(position.x + distance * cos(angle), radius), MapProjection.width - radius),
                    min(max(position.y + distance * sin(angle), radius), height - radius)
                )
            )
        }
    }

    /// The names of the lines, each once.
    package var names: [String] {
        var names: [String] = []
        for case let name? in lines.map(\.name) where !names.contains(name) { names.append(name) }
        return names
    }

    private var lines: [MapLine] {
        if case .lines(let lines) = map.ground { lines } else { [] }
    }

    // MARK: SVG

    /// The element.
    ///
    /// - Parameter label: what it shows, for those who do not see it.
    package func svg(label: String) -> String {
        let (width, height) = (Self.number(MapProjection.width), Self.number(projection.height))
        var svg = "<svg viewBox=\"0 0 \(width) \(height)\" role=\"group\" aria-label=\"\(XMLText.escaped(label))\">\n"
        if let image {
            svg += "<image href=\"\(XMLText.escaped(image))\" width=\"\(width)\" height=\"\(height)\" "
            svg += "preserveAspectRatio=\"none\" aria-hidden=\"true\"/>\n"
        } else {
            svg += "<rect class=\"ground\" width=\"\(width)\" height=\"\(height)\"/>\n"
        }
        let paths = lines.map { path(of: $0) }
        for path in paths { svg += "<path class=\"casing\" d=\"\(path)\"/>\n" }
        for path in paths { svg += "<path class=\"road\" d=\"\(path)\"/>\n" }
        svg += labels + scale
        for (point, position) in points { svg += Self.link(to: point, at: position) }
        return svg + "</svg>\n"
    }

    private func path(of line: MapLine) -> String {
        var path = ""
        for point in line.points {
            let (x, y) = projection.position(of: point)
            path += "\(path.isEmpty ? "M" : "L")\(Self.number(x)) \(Self.number(y))"
        }
        return path
    }

    /// The names of lines at their beginnings, as far as there is room for them.
    private var labels: String {
        var svg = ""
        var taken: [(left: Double, top: Double, right: Double, bottom: Double)] = []
        var named = Set<String>()
        for line in lines {
            guard let name = line.name, let first = line.points.first, named.insert(name).inserted else { continue }
            let shown = name.count > Self.maximumLabelLength ? "\(name.prefix(Self.maximumLabelLength - 1))…" : name
            let (x, y) = projection.position(of: first)
            let width = Double(shown.count) * Self.letterWidth
            let left = x + 12 + width > MapProjection.width ? max(0, x - 12 - width) : x + 12
            let bottom = max(y - 10, Self.lineHeight)
            let box = (left: left, top: bottom - Self.lineHeight, right: left + width, bottom: bottom)
            guard
                !taken.contains(where: {
                    $0.left < box.right && box.left < $0.right && $0.top < box.bottom && box.top < $0.bottom
                })
            else { continue }
            taken.append(box)
            svg += "<text class=\"stage\" x=\"\(Self.number(left))\" y=\"\(Self.number(bottom))\" aria-hidden=\"true\">"
            svg += "\(XMLText.escaped(shown))</text>\n"
        }
        return svg
    }

    /// The length of a round number of metres, at the lower edge.
    private var scale: String {
        let metres = Self.roundLength(projection.metresPerUnit * MapProjection.width / 4)
        let (length, y) = (metres / projection.metresPerUnit, projection.height - 16)
        let text = metres >= 1_000 ? "\(Int(metres / 1_000)) km" : "\(Int(metres)) m"
        let path = "M16 \(Self.number(y - 10))V\(Self.number(y))H\(Self.number(16 + length))V\(Self.number(y - 10))"
        return """
            <g class="scale"><path d="\(path)"/><text x="26" y="\(Self.number(y - 8))">\(text)</text></g>

            """
    }

    /// Rounds `metres` down to 1, 2 or 5 times a power of ten.
    static func roundLength(_ metres: Double) -> Double {
        var length = 1.0
        while length * 10 <= metres { length *= 10 }
        return [5, 2].map { length * $0 }.first { $0 <= metres } ?? length
    }

    private static func link(to point: MapPoint, at position: Position) -> String {
        let name = XMLText.escaped(SitePage.displayed(point.name))
        return """
            <a href="\(ResourcePaths.page(ofVideo: point.video))" aria-label="\(name)"><circle cx="\(number(position.x))" \
            cy="\(number(position.y))" r="\(number(radius))"><title>\(name)</title></circle></a>

            """
    }

    /// A number with one decimal at most, independent of the locale.
    private static func number(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        let text = "\(abs(tenths) / 10)\(tenths % 10 == 0 ? "" : ".\(abs(tenths % 10))")"
        return tenths < 0 ? "-\(text)" : text
    }
}
