package import MediaCore

/// Credits of a member that end at a time unless they are spent before.
package struct ExpiringCredits: Sendable, Hashable {
    package var amount: Int64
    package var expiresAt: WallClockTime

    /// Limit of the ends that a member is shown; the soonest are.
    package static let maximumCount = 20
    /// The time for which a gift may last.
    package static let lifeRange: ClosedRange<Duration> = .seconds(60)...(.seconds(3_650 * 86_400))
    /// The least time for which credits that come back with a refund can be spent.
    package static let minimumLifeAfterRefund = Duration.seconds(7 * 86_400)
    /// Limit of the gifts with an end that an account has at the same time: paying looks at one after the other.
    package static let maximumGiftCount = 1_000
}
