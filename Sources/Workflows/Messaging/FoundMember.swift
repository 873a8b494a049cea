/// A member who was looked for.
package struct FoundMember: Sendable, Hashable {
    package var username: String
    /// The version of the photo; `nil` without one.
    package var photo: String?
}
