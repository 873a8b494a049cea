package import Accounts
package import Community
package import MediaCore
package import Messaging

/// Finds members who can be invited: by the beginning of their names, or by a whole address if they allow it.
package struct MemberSearch: Sendable {
    private let messaging: Messaging
    private let community: Community

    package init(messaging: Messaging, community: Community) {
        (self.messaging, self.community) = (messaging, community)
    }

    /// A page of members.
    ///
    /// - Parameters:
    ///   - text: the beginning of a username, an e-mail address, or a telephone number that begins with `+`.
    ///   - caller: the member who searches, and who is not found.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    /// - Throws: `Refusal` with `loginNeeded`, `invalidCursor`, `invalidField` or `tooManyAttempts`.
    package func members(
        _ text: String, for caller: Caller, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<FoundMember> {
        let text = text.withoutSurroundingBlanks
        if text.contains("@") || text.hasPrefix("+") {
            let found = try await messaging.find(byAddress: text, by: caller)
            return ListPage(items: found.map { FoundMember(username: $0.username, photo: $0.photo) }, next: nil)
        }
        let own = try caller.requireMember().username
        let found = try await community.findMembers(text, for: caller, after: cursor, limit: limit)
        let members = found.items.filter { $0.username != own }.map {
            FoundMember(username: $0.username, photo: $0.photo)
        }
        return ListPage(items: members, next: found.next)
    }
}
