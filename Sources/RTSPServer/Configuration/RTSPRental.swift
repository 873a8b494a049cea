/// The rental with which somebody plays a title.
package struct RTSPRental: Sendable, Hashable {
    /// The ID of the rental.
    package let id: String
    /// What players with the same credential have in common.
    package let session: String

    /// - Parameters:
    ///   - id: the ID of the rental.
    ///   - session: what players with the same credential have in common.
    package init(id: String, session: String) { (self.id, self.session) = (id, session) }
}
