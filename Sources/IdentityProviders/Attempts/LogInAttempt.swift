package import MediaCore

/// A log-in with a provider that a browser has begun. The browser keeps it, sealed, in a cookie: an answer of the
/// provider counts in this browser only.
package struct LogInAttempt: Sendable, Hashable, Codable {
    /// The purpose of the log-in.
    package enum Purpose: String, Sendable, Hashable, Codable {
        case logIn
        /// A logged-in user connects their account.
        case connection
        /// A user with a connected account takes the provider's picture of them as their photo.
        case picture
    }

    /// The ``IdentityProvider/id`` of the provider.
    package var provider: String
    package var purpose: Purpose
    /// Comes back in the provider's answer (RFC 6749 §10.12).
    package var state: String
    /// Comes back in the identity token (OpenID Connect Core 1.0 §3.1.2.1).
    package var nonce: String
    /// The secret of PKCE, of which the provider first learns the hash (RFC 7636 §4).
    package var verifier: String
    /// The page to return to; the caller checks it.
    package var next: String?
    package var staysLoggedIn: Bool
    /// The text of an invitation.
    package var invitation: String?
    /// The end, in milliseconds since 1970.
    private var expiresAt: Int64

    /// Time for a person to log in with the provider.
    package static let lifetime = Duration.seconds(600)

    package init(
        provider: String, purpose: Purpose, next: String? = nil, staysLoggedIn: Bool = false,
        invitation: String? = nil, at now: WallClockTime
    ) {
        (self.provider, self.purpose, self.next) = (provider, purpose, next)
        (self.staysLoggedIn, self.invitation) = (staysLoggedIn, invitation)
        (state, nonce, verifier) = (BrowserSeal.randomText(), BrowserSeal.randomText(), BrowserSeal.randomText())
        expiresAt = (now + Self.lifetime).millisecondsSince1970
    }

    /// Whether an answer belongs to the attempt.
    ///
    /// - Throws: ``ProviderError`` with `attemptNotValid`.
    package func check(state given: String?, provider: String, at now: WallClockTime) throws(ProviderError) {
        guard let given, Self.isEqual(given, state), provider == self.provider else {
            throw ProviderError(.attemptNotValid, "the answer belongs to another log-in")
        }
        guard now.millisecondsSince1970 < expiresAt else {
            throw ProviderError(.attemptNotValid, "the log-in has taken too long")
        }
    }

    private static func isEqual(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        return zip(one.utf8, other.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
