/// The positions of places on the drawing of a map. Degrees of longitude have the length that they have in the middle
/// of the map (equirectangular projection), which nobody can tell from others on the map of a competition.
package struct MapProjection: Sendable, Hashable {
    /// The width of a drawing, in its own units.
    package static let width = 1_000.0

    /// The height in the same units.
    package let height: Double
    private let bounds: MapBounds

    package init(_ map: CompetitionMap) {
        bounds = map.bounds
        switch map.ground {
        case .lines:
            height = Self.width * (bounds.north - bounds.south) / ((bounds.east - bounds.west) * bounds.shrinking)
        case .image(let width, let height, _): self.height = Self.width * Double(height) / Double(width)
        }
    }

    /// The position of a place, from the upper left corner.
    package func position(of place: GeographicPoint) -> (x: Double, y: Double) {
        (
            (bounds.longitude(place.longitude) - bounds.west) / (bounds.east - bounds.west) * Self.width,
            (bounds.north - place.latitude) / (bounds.north - bounds.south) * height
        )
    }

    /// Whether a position is on the drawing.
    package func contains(_ position: (x: Double, y: Double)) -> Bool {
        (0...Self.width).contains(position.x) && (0...height).contains(position.y)
    }

    /// The mean radius of the Earth.
    private static let metresPerDegree = 6_371_008.8 * .pi / 180

    /// The length of a unit of the drawing from west to east, in the middle of the map.
    package var metresPerUnit: Double {
        (bounds.east - bounds.west) * bounds.shrinking * Self.metresPerDegree / Self.width
    }
}
