import MediaCore
import XMLDocument

/// Reads the lines of GPX files (GPX 1.1 Schema Documentation: `trk`, `trkseg`, `trkpt`, `rte`, `rtept`), as GPS
/// receivers and route planners write them.
package enum GPXTrack {
    /// Limit of a file: ``maximumPointCount`` points with elevation and time.
    package static let maximumByteCount = XMLReader.maximumByteCount
    /// Limit of the points of a file: eight hours with one point each second.
    package static let maximumPointCount = 30_000
    /// Limit of the segments and routes of a file; a rally has some twenty stages.
    package static let maximumLineCount = 100
    /// Limit of the elements: a point has elevation, time, and what other sensors say.
    private static let maximumElementCount = maximumPointCount * 8
    /// Limit of a wrong value in an error.
    private static let maximumShownLength = 40

    /// - Returns: the lines with two points or more, of which the first of each track has the name of the track.
    package static func lines(of bytes: [UInt8]) throws(MapFailure) -> [MapLine] {
        let root: XMLElement
        do {
            root = try XMLReader.read(
                bytes, maximumElementCount: maximumElementCount, keepsAttributes: true, toleratesMarkup: true)
        } catch {
            let failure = error as? XMLReader.Failure
            throw .notXML(failure?.reason ?? "it is not well-formed", offset: failure?.offset ?? 0)
        }
        guard root.name == "gpx" else { throw .notGPX(root: shown(root.name)) }
        let parts = parts(of: root)
        guard parts.count <= maximumLineCount else { throw .tooManyLines(parts.count) }
        let pointCount = parts.reduce(0) { $0 + $1.points.count }
        guard pointCount <= maximumPointCount else { throw .tooManyPoints(pointCount) }
        var lines: [MapLine] = []
        for (index, part) in parts.enumerated() {
            var points: [GeographicPoint] = []
            points.reserveCapacity(part.points.count)
            for (number, element) in part.points.enumerated() {
                points.append(try point(element, line: index + 1, point: number + 1))
            }
            if points.count >= 2 { lines.append(MapLine(name: part.name, points: points)) }
        }
        guard !lines.isEmpty else { throw .noLine }
        return lines
    }

    private static func parts(of root: XMLElement) -> [(name: String?, points: [XMLElement])] {
        root.children.flatMap { element -> [(name: String?, points: [XMLElement])] in
            switch element.name {
            case "rte": [(name(of: element), element.children(named: "rtept"))]
            case "trk":
                element.children(named: "trkseg").enumerated().map { index, segment in
                    (index == 0 ? name(of: element) : nil, segment.children(named: "trkpt"))
                }
            default: []
            }
        }
    }

    private static func name(of element: XMLElement) -> String? {
        let name = UntrustedText.strippedName(element["name"] ?? "", maximumCharacterCount: MapLine.maximumNameLength)
        return name.isEmpty ? nil : name
    }

    private static func point(
        _ element: XMLElement, line: Int, point: Int
    ) throws(MapFailure) -> GeographicPoint {
        let (latitude, longitude) = (element.attributes["lat"], element.attributes["lon"])
        func failure(_ value: String?, latitude: Bool) -> MapFailure {
            .coordinate(value: value.map(shown), latitude: latitude, line: line, point: point)
        }
        // 0 and 0 are always possible, so that the wrong one of the two is named.
        guard let degrees = latitude.flatMap(degrees), GeographicPoint(latitude: degrees, longitude: 0) != nil else {
            throw failure(latitude, latitude: true)
        }
        guard let place = longitude.flatMap(Self.degrees).flatMap({ GeographicPoint(latitude: degrees, longitude: $0) })
        else { throw failure(longitude, latitude: false) }
        return place
    }

    private static func degrees(_ text: String) -> Double? {
        Double(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }

    private static func shown(_ text: String) -> String {
        UntrustedText.escaped(text, maximumCharacterCount: maximumShownLength)
    }
}
