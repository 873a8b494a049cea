package import MediaCore

/// The club's data about a member.
package struct MemberRecords: Sendable {
    /// The time at which it was read.
    package var readAt: WallClockTime
    package var movements: [CreditMovement] = []
    package var rentals: [Rental] = []
    package var votes: [MemberVote] = []

    /// Limit of each list: an export is made in memory.
    package static let maximumCount = 10_000

    init(readAt: WallClockTime) { self.readAt = readAt }
}
