/// The audience of a channel, title or section.
package enum Audience: String, Sendable, Hashable, CaseIterable {
    /// Anybody, if the server is open to strangers.
    case everyone
    /// Every account.
    case members
    /// Its owner, those to whom it was granted by name, and operators.
    case invited

    /// Position in the order of audiences, from the largest.
    var rank: Int {
        switch self {
        case .everyone: 0
        case .members: 1
        case .invited: 2
        }
    }
}
