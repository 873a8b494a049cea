package import Events

extension EventSubject.Kind {
    package static let account = Self(rawValue: "account")
}

extension EventType {
    package static let accountCreated = Self(rawValue: "account.created")
    static let roleChanged = Self(rawValue: "account.role")

    /// The events about accounts. The audit log has the same names.
    static let ofAccounts = [
        accountCreated, Self(rawValue: "account.approved"), Self(rawValue: "account.suspended"),
        Self(rawValue: "account.restored"), Self(rawValue: "account.deleted"), roleChanged,
    ]
}
