/// An account as the rules of permission see it, at the time of a request.
package struct Member: Sendable, Hashable {
    package var id: UserID
    package var username: String
    package var role: Role
    /// Actions on single channels that were granted to the account beyond its role, by channel.
    package var channelGrants: [String: ActionSet]
    /// The language that the account has chosen, such as `es`; `nil` for the one that a request asks for.
    package var language: String?

    package init(
        id: UserID, username: String, role: Role, channelGrants: [String: ActionSet] = [:], language: String? = nil
    ) {
        (self.id, self.username, self.role, self.channelGrants) = (id, username, role, channelGrants)
        self.language = language
    }
}
