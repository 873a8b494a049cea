import Foundation

/// The map of a competition, on which its videos are points: the lines of a track, or an image.
package struct CompetitionMap: Sendable, Hashable {
    /// The background below the points.
    package enum Ground: Sendable, Hashable {
        case lines([MapLine])
        /// An image of a size in pixels; the version is different for different images.
        case image(width: Int, height: Int, version: String)
    }

    package let bounds: MapBounds
    package let ground: Ground

    /// Limit of the points of all lines together that are kept: what a drawing can show.
    package static let maximumPointCount = 2_000
    /// The highest image for its width, and the other way round.
    private static let maximumProportion = 4

    private init(bounds: MapBounds, ground: Ground) { (self.bounds, self.ground) = (bounds, ground) }

    /// A map of the lines of a track, simplified as far as nobody sees it.
    ///
    /// - Throws: ``MapFailure`` with `noLine`, `tooWide` or `tooCloseToAPole`.
    package init(lines: [MapLine]) throws(MapFailure) {
        let simplified = LineSimplification(
            lines, in: try MapBounds(around: lines), maximumPointCount: Self.maximumPointCount
        ).lines
        self.init(bounds: try MapBounds(around: simplified), ground: .lines(simplified))
    }

    /// A map with an image whose upper edge is in the north.
    ///
    /// - Throws: ``MapFailure`` with `image` if the image is a narrow strip.
    package init(_ image: MapImage, bounds: MapBounds) throws(MapFailure) {
        guard image.height <= image.width * Self.maximumProportion,
            image.width <= image.height * Self.maximumProportion
        else { throw .image }
        self.init(
            bounds: bounds, ground: .image(width: image.width, height: image.height, version: image.version))
    }

    // MARK: Storage

    private struct Stored: Codable {
        struct Line: Codable {
            var name: String?
            /// Latitude and longitude of each point in turn.
            var points: [Double]
        }

        var lines: [Line]?
        /// North, west, south, east.
        var edges: [Double]?
        var width: Int?
        var height: Int?
        var version: String?
    }

    /// The map as the database keeps it, without the bytes of its image.
    func stored() throws -> String {
        var stored = Stored()
        switch ground {
        case .lines(let lines):
            stored.lines = lines.map { line in
                Stored.Line(name: line.name, points: line.points.flatMap { [$0.latitude, $0.longitude] })
            }
        case .image(let width, let height, let version):
            (stored.width, stored.height, stored.version) = (width, height, version)
            let east = bounds.east > 180 ? bounds.east - 360 : bounds.east
            stored.edges = [bounds.north, bounds.west, bounds.south, east]
        }
        return String(decoding: try JSONEncoder().encode(stored), as: UTF8.self)
    }

    /// - Parameter text: what ``stored()`` has returned.
    /// - Returns: `nil` for what a later version has written.
    init?(stored text: String) {
        guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(text.utf8)) else { return nil }
        if let lines = stored.lines {
            let read = lines.map { line in
                MapLine(
                    name: line.name,
                    points: stride(from: 0, to: line.points.count - 1, by: 2).compactMap {
                        GeographicPoint(latitude: line.points[$0], longitude: line.points[$0 + 1])
                    })
            }
            guard let bounds = try? MapBounds(around: read) else { return nil }
            self.init(bounds: bounds, ground: .lines(read))
        } else {
            guard let edges = stored.edges, edges.count == 4, let width = stored.width, let height = stored.height,
                width > 0, height > 0, let version = stored.version,
                let bounds = MapBounds(north: edges[0], west: edges[1], south: edges[2], east: edges[3])
            else { return nil }
            self.init(bounds: bounds, ground: .image(width: width, height: height, version: version))
        }
    }
}
