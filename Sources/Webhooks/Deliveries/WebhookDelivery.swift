package import Accounts
package import Events
package import MediaCore

/// A message to a receiver, and what has come of it.
package struct WebhookDelivery: Sendable, Hashable {
    /// The states of a delivery. The texts are stored and never change.
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// It waits for its first or next attempt, or for an earlier message about the same resource.
        case pending
        /// The receiver has answered with a status from 200 to 299.
        case delivered
        /// It was given up.
        case failed
        /// The owner of the receiver may not read the event any more.
        case withheld
        /// Not a message: events that the journal had no longer when their turn came.
        case missed
    }

    /// Position in the list.
    package var number: Int64
    package var id: OpaqueID
    package var receiver: OpaqueID
    /// The value of `webhook-id`, the same for all attempts and for replays.
    package var messageID: String
    /// The number of the event; `nil` for a test.
    package var event: Int64?
    package var type: String
    /// The subject of the event; `nil` for a test.
    package var subject: EventSubject?
    /// The body, in JSON.
    package var body: String
    package var state: State
    package var attemptCount: Int
    /// The most events that are missing, for ``State/missed``.
    package var missedCount: Int64?
    package var createdAt: WallClockTime
    /// The time of the next attempt; `nil` if there is none, or if an earlier message has to be finished before.
    package var dueAt: WallClockTime?
    /// The time of the last attempt; `nil` before the first.
    package var attemptedAt: WallClockTime?
    /// The HTTP status of the last attempt; `nil` without an answer.
    package var status: Int?
    /// Why the last attempt failed; `nil` if it succeeded.
    package var error: String?
    /// The duration of the last attempt.
    package var duration: Duration?
    /// The delivery that this one repeats; `nil` for one of its own.
    package var replayOf: OpaqueID?

    /// Limit of the messages that wait for a receiver. Further events stay in the journal until there is room.
    package static let maximumPendingCount = 1_000
    /// Limits of the log of a receiver.
    package static let maximumLoggedCount = 1_000
    package static let logRetention = Duration.seconds(30 * 86_400)
    /// Limit of the text of an error.
    package static let maximumErrorLength = 300
    /// The type of a message that tests a receiver.
    package static let testType = "webhook.test"
    /// The type of the entry for events that are missing.
    package static let missedType = "webhook.missed"
}
