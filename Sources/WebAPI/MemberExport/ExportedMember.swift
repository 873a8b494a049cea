package import Accounts
package import MediaCore

/// A member whose data is exported.
package struct ExportedMember: Sendable {
    package let account: Account
    /// The caller: the member.
    package let caller: Caller
    /// The time of the export.
    package let madeAt: WallClockTime
}
