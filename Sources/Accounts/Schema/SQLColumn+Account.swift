package import Database

extension SQLColumn.Property {
    /// Names the account that the row belongs to, and with which it goes.
    package static var account: SQLColumn.Property { account(.cascade) }

    /// Names an account.
    ///
    /// - Parameter action: what happens to the row when the account is deleted.
    package static func account(_ action: SQLDeleteAction) -> SQLColumn.Property {
        .references(AccountsSchema.accounts.name, "id", action)
    }
}
