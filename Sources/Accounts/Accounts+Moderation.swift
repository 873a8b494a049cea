import MediaCore

extension Accounts {
    /// Locks the account of a member for a moderator; see ``suspend(_:for:from:by:)``. An administrator restores it
    /// before the end.
    ///
    /// - Parameters:
    ///   - user: the account.
    ///   - time: the time after which it can be used again by itself; `nil` for a suspension without end.
    ///   - caller: a moderator.
    /// - Throws: `Refusal` with `notFound`, `invalidField`, `forbidden` for accounts that may do more than a
    ///   member, which administrators suspend, or `conflict` if it is suspended for longer already.
    @discardableResult package func suspendMember(
        _ user: UserID, for time: Duration? = nil, by caller: Caller
    ) async throws -> Account {
        let (now, end) = (wallClock.now(), try suspensionEnd(after: time))
        let step = ChangeStep { account, db in
            guard account.role <= .member else {
                throw Refusal(.forbidden, "only an administrator can suspend this account")
            }
            let present = account.suspendedUntil ?? .distantFuture
            guard !account.isSuspended(at: now) || present <= end ?? .distantFuture else {
                throw Refusal(.conflict, "the account is already suspended for longer")
            }
            return try Self.suspending(until: end).make(account, db)
        }
        return try await change(user, [step], by: caller)
    }
}
