/// Leaves out points of lines that nobody would miss, as Douglas and Peucker do: begins with the ends of each line, and
/// adds the point that is farthest from what is drawn, until none is far from it.
struct LineSimplification {
    /// The lines with the points that are left.
    private(set) var lines: [MapLine] = []

    /// A point is left out if it is closer than this to the line without it, as a share of the map's width: half a
    /// pixel.
    private static let tolerance = 0.000_5
    /// Decimals of degrees that are kept: 0.1 metres.
    private static let precision = 1_000_000.0

    private typealias Position = SIMD2<Double>

    /// A part of a line between two points that are drawn.
    private struct Part {
        var line: Int
        var start: Int
        var end: Int
        /// The point of the part that is farthest from a straight line, and the square of its distance.
        var farthest: Int
        var distance: Double
    }

    /// - Parameters:
    ///   - lines: lines with two points or more.
    ///   - bounds: the bounds of the map.
    ///   - maximumPointCount: limit of the points of all lines; more than two for each line.
    init(_ lines: [MapLine], in bounds: MapBounds, maximumPointCount: Int) {
        let shrinking = bounds.shrinking
        let positions = lines.map { line in
            line.points.map { Position(bounds.longitude($0.longitude) * shrinking, $0.latitude) }
        }
        let tolerance = (bounds.east - bounds.west) * shrinking * Self.tolerance
        var kept = positions.map { Set([0, $0.count - 1]) }
        var count = kept.reduce(0) { $0 + $1.count }
        var parts = positions.enumerated().map { Self.part(of: $1, $0, 0, $1.count - 1) }
        while count < maximumPointCount {
            guard let index = parts.indices.max(by: { parts[$0].distance < parts[$1].distance }),
                parts[index].distance > tolerance * tolerance
            else { break }
            let part = parts[index]
            kept[part.line].insert(part.farthest)
            count += 1
            parts[index] = Self.part(of: positions[part.line], part.line, part.start, part.farthest)
            parts.append(Self.part(of: positions[part.line], part.line, part.farthest, part.end))
        }
        self.lines = zip(lines, kept).map { line, kept in
            MapLine(name: line.name, points: kept.sorted().map { Self.rounded(line.points[$0]) })
        }
    }

    private static func part(of positions: [Position], _ line: Int, _ start: Int, _ end: Int) -> Part {
        var part = Part(line: line, start: start, end: end, farthest: start, distance: 0)
        let (from, direction) = (positions[start], positions[end] - positions[start])
        let length = (direction * direction).sum()
        for index in positions.indices[start..<end].dropFirst() {
            let offset = positions[index] - from
            // From the part between the ends, not from the line beyond them: roads turn back.
            let share = length > 0 ? min(1, max(0, (offset * direction).sum() / length)) : 0
            let difference = offset - direction * share
            let distance = (difference * difference).sum()
            if distance > part.distance { (part.farthest, part.distance) = (index, distance) }
        }
        return part
    }

    private static func rounded(_ point: GeographicPoint) -> GeographicPoint {
        func rounded(_ degrees: Double) -> Double { (degrees * precision).rounded() / precision }
        return GeographicPoint(latitude: rounded(point.latitude), longitude: rounded(point.longitude)) ?? point
    }
}
