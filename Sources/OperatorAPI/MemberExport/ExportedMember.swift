package import Accounts
package import MediaCore

/// Somebody whose data is exported.
package struct ExportedMember: Sendable {
    package let account: Account
    /// Who asks: the member.
    package let caller: Caller
    /// The time of the export.
    package let madeAt: WallClockTime
}
