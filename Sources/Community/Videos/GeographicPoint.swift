/// A place on the Earth (WGS 84), in degrees.
package struct GeographicPoint: Sendable, Hashable {
    package let latitude: Double
    package let longitude: Double

    /// - Returns: `nil` for a place that there is not.
    package init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}
