package import Accounts
import Database
import JSONDocument
package import MediaCore
import Synchronization

extension Webhooks {
    /// Limit of the tests that run at the same time.
    private static let maximumTestCount = 8

    /// A page of the log of a receiver, newest first, with what waits.
    ///
    /// - Parameters:
    ///   - id: the receiver.
    ///   - state: which deliveries; `nil` for all.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    ///   - caller: the owner, or somebody who may administer the server.
    /// - Throws: `Refusal` with `notFound` or `invalidCursor`.
    package func deliveries(
        of id: OpaqueID, _ state: WebhookDelivery.State? = nil, after cursor: String? = nil, limit: Int? = nil,
        by caller: Caller
    ) async throws -> ListPage<WebhookDelivery> {
        let size = ListPage<WebhookDelivery>.size(limit)
        return try await database.read { [self] db in
            _ = try admitted(try ReceiverRows.receiver(id, db), caller)
            return try DeliveryRows.page(of: id, state: state, after: cursor, size: size, db)
        }
    }

    /// Queues a message again, after those about the same resource that wait already.
    ///
    /// - Parameters:
    ///   - delivery: a delivery of the receiver that is finished.
    ///   - id: the receiver.
    ///   - caller: the owner, or somebody who may administer the server.
    /// - Returns: the new delivery, which has the same `webhook-id`.
    /// - Throws: `Refusal` with `notFound`, `tooMany` or `conflict`.
    package func replay(
        _ delivery: OpaqueID, of id: OpaqueID, by caller: Caller
    ) async throws -> WebhookDelivery {
        let (now, new) = (wallClock.now(), OpaqueID())
        let replayed = try await database.write { [self] db in
            _ = try admitted(try ReceiverRows.receiver(id, db), caller)
            guard let old = try DeliveryRows.delivery(delivery, of: id, db) else {
                throw Refusal(.notFound, "the webhook has no such delivery")
            }
            guard old.state != .pending else {
                throw Refusal(.conflict, "the delivery is pending; it is sent without a replay")
            }
            guard old.event != nil, old.subject != nil else {
                throw Refusal(.conflict, "only the message of an event can be replayed")
            }
            guard try DeliveryRows.pendingCount(of: id, db) < WebhookDelivery.maximumPendingCount else {
                throw Refusal(
                    .tooMany, "\(WebhookDelivery.maximumPendingCount) messages are already waiting for the webhook")
            }
            try DeliveryRows.insert(
                WebhookDelivery(
                    number: 0, id: new, receiver: id, messageID: old.messageID, event: old.event, type: old.type,
                    subject: old.subject, body: old.body, state: .pending, attemptCount: 0, createdAt: now, dueAt: now,
                    replayOf: old.id), db)
            return try DeliveryRows.delivery(new, of: id, db)
        }
        guard let replayed else { throw Refusal(.notFound, "the webhook has no such delivery") }
        return replayed
    }

    /// Sends a message of the type `webhook.test` now, once, also to a receiver that is disabled.
    ///
    /// - Returns: its entry in the log.
    /// - Throws: `Refusal` with `notFound` or `busy`.
    package func test(_ id: OpaqueID, by caller: Caller) async throws -> WebhookDelivery {
        let receiver = try await receiver(id, by: caller).receiver
        let isAdmitted = testCount.withLock { count in
            guard count < Self.maximumTestCount else { return false }
            count += 1
            return true
        }
        guard isAdmitted else {
            throw Refusal(
                .busy, "\(Self.maximumTestCount) webhooks are being tested; try again", retryAfter: .seconds(2))
        }
        defer { testCount.withLock { $0 -= 1 } }
        let now = wallClock.now()
        let data = JSONText.object([("webhook", .string(id.text))]).rendered
        let message = WebhookDelivery(
            number: 0, id: OpaqueID(), receiver: id, messageID: Self.newMessageID(), type: WebhookDelivery.testType,
            body: Self.body(WebhookDelivery.testType, happenedAt: Self.timeText(now), data: data), state: .pending,
            attemptCount: 0, createdAt: now)
        let secrets = try await database.read { db in try ReceiverRows.secrets(of: id, db) }
        let (outcome, attempted) = await attempt(message, to: receiver, secrets: secrets)
        var tested = attempted
        tested.state = outcome.isSuccess ? .delivered : .failed
        let logged = tested
        return try await database.write { db in
            try DeliveryRows.insert(logged, db)
            return try DeliveryRows.delivery(logged.id, of: id, db)
        } ?? logged
    }
}
