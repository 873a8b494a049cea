/// A preset in which a title is not offered, with the human-readable reason.
package struct OmittedPreset: Codable, Sendable, Hashable {
    package var preset: String
    package var reason: String
}
