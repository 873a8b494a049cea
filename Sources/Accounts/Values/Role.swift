/// The rank of an account. What each role may do is in `PermissionTable`.
package enum Role: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Watches what members may watch.
    case viewer
    /// Uploads, rents, discusses.
    case member
    /// Pushes to channels.
    case broadcaster
    /// Reviews what members publish.
    case moderator
    /// Manages channels, library and jobs.
    case `operator`
    /// Manages accounts as well.
    case administrator

    /// Position in the order of roles, from 0.
    var rank: Int {
        switch self {
        case .viewer: 0
        case .member: 1
        case .broadcaster: 2
        case .moderator: 3
        case .operator: 4
        case .administrator: 5
        }
    }

    /// Whether the role is lower.
    package static func < (lhs: Role, rhs: Role) -> Bool { lhs.rank < rhs.rank }
}
