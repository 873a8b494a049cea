import Accounts

/// A notification of which browsers are told now.
struct DuePush: Sendable {
    var number: Int64
    var receiver: UserID
    /// Number of attempts, with the one that follows.
    var attempt: Int
}
