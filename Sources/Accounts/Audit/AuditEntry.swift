package import MediaCore

/// A line of the audit log: who changed what, when, and from where.
package struct AuditEntry: Sendable, Hashable {
    package var number: Int64
    package var happenedAt: WallClockTime
    package var event: String
    /// The account that made the change; `nil` for strangers and the server's machine.
    package var actorID: UserID?
    /// `user`, `token …`, `operator token` and so on; never a name of a person.
    package var actorName: String
    /// The account that was changed.
    package var subjectID: UserID?
    /// The address that the request came from; `nil` once an account that took part was deleted.
    package var address: String?
    /// The value before and after the change; `nil` for none, for credentials, and once the account was deleted.
    package var before: String?
    package var after: String?
}
