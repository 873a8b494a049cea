/// The thing that a request is about, with all that the rules need to know about it.
package struct Resource: Sendable, Hashable {
    /// The kinds of things.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Pages, lists and addresses that hold nothing of their own.
        case site
        case channel
        case title
        /// An audio track.
        case track
        case comment
        /// A match and its score.
        case match
        case rental
        /// One account.
        case account
        /// Files as a whole: uploads, imports, jobs.
        case library
        /// Configuration, metrics, presets, status of connections.
        case system
        /// The queue of reports.
        case reports
        /// The list of accounts, roles, invitations.
        case accounts
        case auditLog

        /// The position in ``PermissionTable``.
        var position: Int {
            switch self {
            case .site: 0
            case .channel: 1
            case .title: 2
            case .track: 3
            case .comment: 4
            case .match: 5
            case .rental: 6
            case .account: 7
            case .library: 8
            case .system: 9
            case .reports: 10
            case .accounts: 11
            case .auditLog: 12
            }
        }
    }

    package var kind: Kind
    /// The account that the thing belongs to; `nil` if it belongs to the station.
    package var owner: UserID?
    package var audience: Audience
    /// The channel, for channels and matches.
    package var channel: String?
    /// Accounts that may read it whatever its audience is.
    package var invited: Set<UserID> = []
    /// The audience of an address at which there is nothing, for what a path names; `nil` for everything else. What is
    /// for invited people is refused to others in the same way as if there were nothing.
    package var unknownAudience: Audience?

    package init(_ kind: Kind, owner: UserID? = nil, audience: Audience = .everyone, channel: String? = nil) {
        (self.kind, self.owner, self.audience, self.channel) = (kind, owner, audience, channel)
    }

    package static let site = Resource(.site)
    package static let library = Resource(.library)
    package static let system = Resource(.system)
    package static let reports = Resource(.reports)
    package static let accounts = Resource(.accounts)
    package static let auditLog = Resource(.auditLog)

    package static func channel(_ name: String, _ audience: Audience = .everyone) -> Resource {
        Resource(.channel, audience: audience, channel: name)
    }
    package static func title(owner: UserID? = nil, _ audience: Audience = .everyone) -> Resource {
        Resource(.title, owner: owner, audience: audience)
    }
    package static func track(owner: UserID? = nil, _ audience: Audience = .everyone) -> Resource {
        Resource(.track, owner: owner, audience: audience)
    }
    package static func comment(owner: UserID, _ audience: Audience = .everyone) -> Resource {
        Resource(.comment, owner: owner, audience: audience)
    }
    package static func match(channel: String, _ audience: Audience = .everyone) -> Resource {
        Resource(.match, audience: audience, channel: channel)
    }
    package static func rental(owner: UserID) -> Resource { Resource(.rental, owner: owner, audience: .invited) }
    package static func account(_ id: UserID) -> Resource { Resource(.account, owner: id, audience: .invited) }
}
