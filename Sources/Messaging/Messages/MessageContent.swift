/// The content of a message that a member sends.
package enum MessageContent: Sendable, Hashable {
    case text(String)
    /// A point in degrees, WGS 84, with a name that may be empty.
    case place(latitude: Double, longitude: Double, name: String)
    /// The username of a contact of the sender.
    case contact(username: String)
}
