/// The reason why a file cannot be the map of a competition.
package enum MapFailure: Error, Hashable, CustomStringConvertible {
    /// The file is not XML that can be read, from a byte on.
    case notXML(String, offset: Int)
    /// The document is not GPX; the value is the name of its root element.
    case notGPX(root: String)
    /// No line has two points.
    case noLine
    case tooManyLines(Int)
    case tooManyPoints(Int)
    /// An attribute of a point is missing, or is not a number of degrees. Lines and points count from 1.
    case coordinate(value: String?, latitude: Bool, line: Int, point: Int)
    /// The content of the map spans more than half of the Earth.
    case tooWide
    /// The content of the map is close to a pole.
    case tooCloseToAPole
    /// An image has no, or no possible, edges.
    case edges
    /// The image cannot be used.
    case image

    package var description: String {
        switch self {
        case .notXML(let reason, let offset): "the file is not XML that can be read: \(reason) at byte \(offset)"
        case .notGPX(let root): "the file is not GPX: its first element is `\(root)` and not `gpx`"
        case .noLine: "the file has neither a track nor a route with two points"
        case .tooManyLines(let count):
            "a map has at most \(GPXTrack.maximumLineCount) segments and routes, not \(count)"
        case .tooManyPoints(let count):
            "a file has at most \(GPXTrack.maximumPointCount) points, not \(count); save it with fewer"
        case .coordinate(let value, let isLatitude, let line, let point):
            Self.sentence(value, isLatitude ? "latitude" : "longitude", line, point)
        case .tooWide: "a map spans at most \(Int(MapBounds.maximumWidth)) degrees of longitude"
        case .tooCloseToAPole: "a map ends at \(Int(MapBounds.maximumLatitude)) degrees north and south"
        case .edges:
            "an image needs its edges in degrees: north above south, both from -85 to 85; west and east from -180 to "
                + "180, at most 180 apart"
        case .image: "the file cannot be made into the image of a map"
        }
    }

    private static func sentence(_ value: String?, _ name: String, _ line: Int, _ point: Int) -> String {
        let wrong = value.map { "the \(name) \"\($0)\"" } ?? "no \(name)"
        return "point \(point) of segment \(line) has \(wrong); latitudes are -90 to 90, and longitudes -180 to 180"
    }
}
