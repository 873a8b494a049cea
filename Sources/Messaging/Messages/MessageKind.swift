/// The kind of a message. The texts are stored and never change.
package enum MessageKind: String, Sendable, Hashable, CaseIterable {
    case text
    /// A point on the map, with a name.
    case place
    /// A member whom the sender recommends.
    case contact

    // MARK: What happened in a group, which clients do not send

    case created, added, removed, left, renamed
}
