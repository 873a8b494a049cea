/// The permissions of each role. A role has what the roles before it have, and its own lines.
///
/// This is the only place in the program where a role means something.
enum PermissionTable {
    /// An action on kinds of things.
    private struct Grant {
        var action: Action
        var kinds: [Resource.Kind]
        var reach: Reach

        init(_ action: Action, _ kinds: [Resource.Kind], _ reach: Reach) {
            (self.action, self.kinds, self.reach) = (action, kinds, reach)
        }
    }

    /// The kinds of resources that can be watched, heard or read.
    private static let content: [Resource.Kind] = [.site, .channel, .title, .track, .comment, .match]

    private static let strangers: [Grant] = [Grant(.read, content, .open)]

    private static func grants(_ role: Role) -> [Grant] {
        switch role {
        case .viewer:
            [
                Grant(.read, content, .open),
                Grant(.read, [.rental], .own),
                Grant(.read, [.account], .own),
                Grant(.manage, [.account], .own),
            ]
        case .member:
            [
                Grant(.rent, [.title], .open),
                Grant(.comment, [.title, .track, .comment, .channel, .match], .open),
                Grant(.manage, [.title, .track, .comment], .own),
                Grant(.upload, [.title], .own),
            ]
        case .broadcaster:
            [
                Grant(.upload, [.library], .any),
                Grant(.publish, [.channel], .any),
                Grant(.record, [.channel], .any),
            ]
        case .moderator:
            [
                Grant(.read, [.title, .track, .comment, .reports], .any),
                Grant(.moderate, [.title, .track, .comment, .account, .reports], .any),
            ]
        case .operator:
            [
                Grant(.read, content + [.rental, .library, .system], .any),
                Grant(.manage, [.channel, .title, .track, .comment, .match, .rental, .library, .system], .any),
                Grant(.score, [.match], .any),
            ]
        case .administrator:
            [
                Grant(.read, [.account, .accounts, .auditLog], .any),
                Grant(.manage, [.account], .any),
                Grant(.administer, Resource.Kind.allCases, .any),
            ]
        }
    }

    /// Actions that somebody may be granted on one channel, and the kinds of things that they then reach.
    static let channelActions: [Action: Resource.Kind] = [
        .read: .channel, .publish: .channel, .record: .channel, .score: .match,
    ]

    private static let kindCount = Resource.Kind.allCases.count
    private static let actionCount = Action.allCases.count

    /// The lines as a matrix, which a look-up indexes: strangers first, then the roles from the lowest.
    private static let matrix: [Reach] = {
        var rows: [[Reach]] = [row(strangers, from: empty)]
        var last = empty
        for role in Role.allCases.sorted() {
            last = row(grants(role), from: last)
            rows.append(last)
        }
        return rows.flatMap(\.self)
    }()

    private static let empty = [Reach](repeating: .none, count: kindCount * actionCount)

    private static func row(_ grants: [Grant], from lower: [Reach]) -> [Reach] {
        var row = lower
        for grant in grants {
            for kind in grant.kinds {
                let index = grant.action.position * kindCount + kind.position
                row[index] = max(row[index], grant.reach)
            }
        }
        return row
    }

    /// How far a role's permission goes.
    ///
    /// - Parameter role: `nil` for strangers.
    static func reach(_ role: Role?, _ action: Action, _ kind: Resource.Kind) -> Reach {
        let row = role.map { $0.rank + 1 } ?? 0
        return matrix[(row * actionCount + action.position) * kindCount + kind.position]
    }
}
