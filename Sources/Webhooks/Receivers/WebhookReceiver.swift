package import Accounts
package import Events
package import MediaCore

/// An address that is sent events.
package struct WebhookReceiver: Sendable, Hashable {
    /// Why a receiver gets nothing. The texts are stored and never change.
    package enum DisabledReason: String, Sendable, Hashable, CaseIterable {
        /// It was turned off on request.
        case requested
        /// It has answered 410.
        case gone
        /// All attempts of ``WebhookReceiver/maximumFailingTime`` have failed.
        case failing
    }

    /// Position in the list.
    package var number: Int64
    package var id: OpaqueID
    package var url: String
    package var summary: String
    /// Which events it is sent, of those that its owner may read.
    package var filter: EventFilter
    /// The account on whose behalf it is sent events; `nil` for the station's own.
    package var owner: UserID?
    package var createdAt: WallClockTime
    /// Why it gets nothing; `nil` if it is enabled.
    package var disabledReason: DisabledReason?
    /// The first failure since the last success; `nil` if the last attempt succeeded.
    package var failingSince: WallClockTime?
    /// The time before which it does not want to be sent anything (`Retry-After`); `nil` for none.
    package var heldUntil: WallClockTime?
    /// The end of the time in which messages are signed with the previous key, too; `nil` without a previous key.
    package var previousSecretEndsAt: WallClockTime?
    /// The number of the last event that was queued for it, or is not for it.
    package var lastEvent: Int64
    /// Rises with each change that somebody makes, for `ETag` and `If-Match`.
    package var revision: Int64

    package var isEnabled: Bool { disabledReason == nil }

    /// Limits of receivers, and of those of one account.
    package static let maximumCount = 1_000
    package static let maximumCountPerOwner = 20
    package static let maximumURLByteCount = 1_000
    package static let maximumSummaryLength = 200
    package static let maximumTypeCount = 32
    /// Time of nothing but failures after which a receiver is disabled, as Standard Webhooks advises.
    package static let maximumFailingTime = Duration.seconds(5 * 86_400)
    /// The time for which the previous key signs, unless the rotation says otherwise, and its limit.
    package static let defaultOverlap = Duration.seconds(86_400)
    package static let maximumOverlap = Duration.seconds(7 * 86_400)
}
