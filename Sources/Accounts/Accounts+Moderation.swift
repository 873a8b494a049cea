extension Accounts {
    /// Locks the account of a member for a moderator; see ``suspend(_:from:by:)``. An administrator restores it.
    ///
    /// - Throws: ``AccountsError`` with `notFound`, or `forbidden` for accounts that may do more than a member, which
    ///   administrators suspend.
    @discardableResult package func suspendMember(_ user: UserID, by caller: Caller) async throws -> Account {
        try require(caller.principal, .moderate, .reports)
        let step = ChangeStep { account, db in
            guard account.role <= .member else {
                throw AccountsError(.forbidden, "only an administrator suspends this account")
            }
            return try Self.suspending.make(account, db)
        }
        return try await changeChecked(user, [step], by: caller)
    }
}
