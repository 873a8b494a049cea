package import MediaCore

/// An identity that no account has yet, between the provider's answer and the form that makes or connects an account.
/// The form carries it, sealed.
package struct PendingIdentity: Sendable, Hashable, Codable {
    package var identity: ProviderIdentity
    package var next: String?
    package var staysLoggedIn: Bool
    package var invitation: String?
    /// The session of the member who connects an account; `nil` for somebody who signs up.
    package var session: String?
    /// The end, in milliseconds since 1970.
    private var expiresAt: Int64

    /// Time to fill in the form.
    package static let lifetime = Duration.seconds(1_800)

    package init(_ identity: ProviderIdentity, of attempt: LogInAttempt, session: String?, at now: WallClockTime) {
        (self.identity, self.session) = (identity, session)
        (next, staysLoggedIn, invitation) = (attempt.next, attempt.staysLoggedIn, attempt.invitation)
        expiresAt = (now + Self.lifetime).millisecondsSince1970
    }

    /// Whether the form has taken too long.
    package func isExpired(at now: WallClockTime) -> Bool { now.millisecondsSince1970 >= expiresAt }
}
