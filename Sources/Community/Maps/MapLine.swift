/// A line on the map of a competition, such as a stage of a rally.
package struct MapLine: Sendable, Hashable {
    /// The name that is written beside it; `nil` for none.
    package var name: String?
    package var points: [GeographicPoint]

    /// Limit of a name in characters (Unicode scalars).
    package static let maximumNameLength = 100

    package init(name: String?, points: [GeographicPoint]) { (self.name, self.points) = (name, points) }
}
