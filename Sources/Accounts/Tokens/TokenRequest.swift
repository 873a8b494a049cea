package import MediaCore

/// A request for a new credential for a program.
package struct TokenRequest: Sendable, Hashable {
    package var kind: TokenKind
    package var name: String
    package var scope: Scope
    package var expiresAt: WallClockTime?

    /// Length limit of a name.
    package static let maximumNameCharacterCount = 60
    /// Channels that a scope may name.
    package static let maximumChannelCount = 64
    /// Length limit of a channel's name.
    package static let maximumChannelByteCount = 100

    package init(_ kind: TokenKind, name: String, scope: Scope, expiresAt: WallClockTime? = nil) {
        (self.kind, self.name, self.scope, self.expiresAt) = (kind, name, scope, expiresAt)
    }

    /// The request with its name trimmed.
    ///
    /// - Throws: `Refusal` with `invalidField`.
    func checked(at time: WallClockTime) throws(Refusal) -> TokenRequest {
        let trimmed = UntrustedText.stripped(name, maximumCharacterCount: Self.maximumNameCharacterCount * 4)
            .drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        guard (1...Self.maximumNameCharacterCount).contains(trimmed.count) else {
            throw Refusal(
                .invalidField, "a token's name has 1 to \(Self.maximumNameCharacterCount) characters",
                fields: ["name"])
        }
        guard !scope.actions.isEmpty else {
            throw Refusal(
                .invalidField,
                "a token needs at least one permission, such as `\(Action.read.rawValue)`", fields: ["permissions"])
        }
        let channels = scope.channels ?? []
        guard channels.count <= Self.maximumChannelCount,
            channels.allSatisfy({ !$0.isEmpty && $0.utf8.count <= Self.maximumChannelByteCount && !$0.contains("\n") })
        else {
            throw Refusal(
                .invalidField, "a token is limited to at most \(Self.maximumChannelCount) channels",
                fields: ["channels"])
        }
        guard expiresAt.map({ $0 > time }) ?? true else {
            throw Refusal(
                .invalidField, "the token would expire in the past; choose a later time", fields: ["expiresAt"])
        }
        var checked = self
        checked.name = String(trimmed)
        return checked
    }
}
