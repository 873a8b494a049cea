import Foundation

/// The part of the Earth that a map shows, in degrees. A map may cross the antimeridian: its east is then above 180.
package struct MapBounds: Sendable, Hashable {
    package let north: Double
    package let west: Double
    package let south: Double
    /// More than ``west``, and above 180 if the map crosses the antimeridian.
    package let east: Double

    /// Closer to the poles, degrees of longitude are too short for a flat drawing.
    package static let maximumLatitude = 85.0
    /// Half of the Earth. Points farther apart could be drawn on either side.
    package static let maximumWidth = 180.0
    /// About ten metres: the smallest map that is of any use.
    static let minimumSize = 0.000_1
    /// The least room around lines, as a share of the longer side, so that videos beside the road are on the map.
    private static let margin = 0.2
    /// The least room around lines in degrees of latitude, about 300 metres.
    private static let minimumMargin = 0.002_7
    /// The shapes of maps of lines: the height as a share of the width.
    private static let shapes = 0.5...1.2

    private init(checkedNorth north: Double, west: Double, south: Double, east: Double) {
        (self.north, self.west, self.south, self.east) = (north, west, south, east)
    }

    /// The bounds of an image.
    ///
    /// - Parameters:
    ///   - north: the latitude of the upper edge.
    ///   - west: the longitude of the left edge.
    ///   - south: the latitude of the lower edge.
    ///   - east: the longitude of the right edge; less than `west` if the image crosses the antimeridian.
    /// - Returns: `nil` if there is no such map.
    package init?(north: Double, west: Double, south: Double, east: Double) {
        let (latitudes, longitudes) = (-Self.maximumLatitude...Self.maximumLatitude, -180.0...180.0)
        guard latitudes.contains(north), latitudes.contains(south), longitudes.contains(west), longitudes.contains(east)
        else { return nil }
        let end = east < west ? east + 360 : east
        guard north - south >= Self.minimumSize, (Self.minimumSize...Self.maximumWidth).contains(end - west) else {
            return nil
        }
        self.init(checkedNorth: north, west: west, south: south, east: end)
    }

    /// The bounds of a map of lines, with some room around them.
    ///
    /// - Throws: ``MapFailure`` with `noLine`, `tooWide` or `tooCloseToAPole`.
    init(around lines: [MapLine]) throws(MapFailure) {
        let points = lines.flatMap(\.points)
        guard let first = points.first else { throw .noLine }
        var (north, south) = (first.latitude, first.latitude)
        var (west, east) = (first.longitude, first.longitude)
        for point in points {
            (north, south) = (max(north, point.latitude), min(south, point.latitude))
            let longitude = Self.longitude(point.longitude, near: first.longitude)
            (west, east) = (min(west, longitude), max(east, longitude))
        }
        guard east - west <= Self.maximumWidth else { throw .tooWide }
        guard north <= Self.maximumLatitude, south >= -Self.maximumLatitude else { throw .tooCloseToAPole }
        // In degrees of latitude, in which both sides can be compared.
        let shrinking = Self.shrinking((north + south) / 2)
        var (width, height) = ((east - west) * shrinking, north - south)
        let margin = max(max(width, height) * Self.margin, Self.minimumMargin)
        (width, height) = (width + 2 * margin, height + 2 * margin)
        height = max(height, width * Self.shapes.lowerBound)
        width = max(width, height / Self.shapes.upperBound)
        let (middle, latitude) = ((west + east) / 2, (north + south) / 2)
        self.init(
            checkedNorth: latitude + height / 2, west: middle - width / shrinking / 2, south: latitude - height / 2,
            east: middle + width / shrinking / 2)
    }

    /// The length of a degree of longitude in the middle of the map, in degrees of latitude.
    package var shrinking: Double { Self.shrinking((north + south) / 2) }

    private static func shrinking(_ latitude: Double) -> Double { cos(latitude * .pi / 180) }

    /// A longitude on the side of the antimeridian on which the map is.
    func longitude(_ longitude: Double) -> Double { Self.longitude(longitude, near: (west + east) / 2) }

    private static func longitude(_ longitude: Double, near other: Double) -> Double {
        if longitude - other > 180 { return longitude - 360 }
        if longitude - other < -180 { return longitude + 360 }
        return longitude
    }
}
