import MediaCore

/// The data of an account for a log-in.
struct LogInCandidate: Sendable {
    var id: UserID
    var state: AccountState
    var suspendedUntil: WallClockTime?
    /// `nil` for an account without a password.
    var hash: PasswordHash?
    /// Whether somebody has logged in to the account from the same address.
    var isFamiliar: Bool
    var hasSecondFactor: Bool
}
