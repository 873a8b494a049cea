/// The rental with which somebody plays a title.
package struct StreamRental: Sendable, Hashable {
    /// The ID of the rental.
    package let id: String
    /// The session that players with the same credential share.
    package let session: String

    /// - Parameters:
    ///   - id: the ID of the rental.
    ///   - session: what players with the same credential have in common.
    package init(id: String, session: String) { (self.id, self.session) = (id, session) }
}
