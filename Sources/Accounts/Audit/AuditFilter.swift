package import MediaCore

/// Which entries of the audit log are listed; `nil` for all.
package struct AuditFilter: Sendable, Hashable {
    package var actor: UserID?
    package var subject: UserID?
    /// The name of an event, or the part before its dot, such as `account`.
    package var event: String?
    /// The earliest time.
    package var since: WallClockTime?
    /// The time after the latest one.
    package var until: WallClockTime?

    package init(
        actor: UserID? = nil, subject: UserID? = nil, event: String? = nil, since: WallClockTime? = nil,
        until: WallClockTime? = nil
    ) {
        (self.actor, self.subject, self.event, self.since, self.until) = (actor, subject, event, since, until)
    }
}
