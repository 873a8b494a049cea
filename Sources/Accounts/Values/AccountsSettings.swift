/// The operator's settings for accounts.
package struct AccountsSettings: Sendable, Hashable {
    package var registration = RegistrationPolicy.open
    /// Fields without which nobody signs up.
    package var requiredFields: Set<ProfileField> = []
    /// Whether the server can send mail. Then a new address has to be confirmed before the account or the change
    /// takes effect.
    package var confirmsEmail = false
    /// Whether strangers may read what is public.
    package var isOpenToStrangers = true
    /// Whether everybody may read the metrics, not only those who may read the system.
    package var showsMetricsToEveryone = false
    /// Requests to the API that a member may send in 10 seconds.
    package var apiRequestCount = Self.standardAPIRequestCount
    /// The role of an account that somebody has made by signing up.
    package var initialRole = Role.member
    /// The shortest password in characters. NIST SP 800-63B advises 8.
    package var minimumPasswordCharacterCount = 6
    /// Time without a request after which a session ends.
    package var sessionIdleTime = Duration.seconds(2 * 3_600)
    /// Time after which a session ends in any case.
    package var sessionLifetime = Duration.seconds(24 * 3_600)
    /// The same two for a session of somebody who wants to stay logged in.
    package var persistentIdleTime = Duration.seconds(30 * 24 * 3_600)
    package var persistentLifetime = Duration.seconds(365 * 24 * 3_600)
    /// Age of the oldest entry of the audit log.
    package var auditRetention = Duration.seconds(2 * 365 * 24 * 3_600)
    /// Largest number of entries of the audit log, about 300 bytes each.
    package var maximumAuditEntryCount = 1_000_000
    /// Name of the installation in authenticator apps.
    package var issuer = "Antena"

    /// The domain of passkeys; `nil` for a server without passkeys.
    package var relyingParty: RelyingParty?

    static let standardAPIRequestCount = 50

    package init() {}
}
