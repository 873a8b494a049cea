import Accounts
import Database
import Logging
import LogMetadata
import MediaCore
import Synchronization

extension WebhookDispatcher {
    /// Sends what is due, a few messages at the same time, each about another resource.
    func sendDue(to receiver: WebhookReceiver) async throws {
        try await withThrowingTaskGroup(of: Int64.self) { group in
            var underway: Set<Int64> = []
            var left = Self.maximumMessageCountPerTurn
            while true {
                let due = left > 0 ? try await dueMessages(of: receiver.id, besides: underway) : []
                for message in due.prefix(min(left, Self.maximumRequestCountPerReceiver - underway.count)) {
                    underway.insert(message.number)
                    left -= 1
                    group.addTask {
                        try await self.send(message, to: receiver.id)
                        return message.number
                    }
                }
                // When one is finished, the next one about its resource may be due.
                guard let finished = try await group.next() else { return }
                underway.remove(finished)
            }
        }
    }

    /// The messages that are due and not underway, if the lease holds for long enough to send them.
    private func dueMessages(
        of id: OpaqueID, besides underway: Set<Int64>
    ) async throws -> [WebhookDelivery] {
        guard !Task.isCancelled, underway.count < Self.maximumRequestCountPerReceiver else { return [] }
        let (holder, now) = (holder, now)
        return try await database.read { db -> [WebhookDelivery] in
            guard try ReceiverRows.isLeased(id, to: holder, until: now + Self.sendingTime, db),
                let receiver = try ReceiverRows.receiver(id, db), receiver.heldUntil.map({ $0 <= now }) ?? true
            else { return [] }
            return try DeliveryRows.due(of: id, at: now, limit: Self.maximumRequestCountPerReceiver, db)
        }.filter { !underway.contains($0.number) }
    }

    private func send(_ message: WebhookDelivery, to id: OpaqueID) async throws {
        let (current, secrets) = try await database.read { db in
            (try ReceiverRows.receiver(id, db), try ReceiverRows.secrets(of: id, db))
        }
        guard let current, current.isEnabled else { return }
        // It may have waited for hours.
        guard let subject = message.subject, try await visibility(of: current)?.includes(subject) == true else {
            var withheld = message
            (withheld.state, withheld.dueAt) = (.withheld, nil)
            return try await note(withheld, of: current, outcome: nil)
        }
        let (outcome, attempted) = await webhooks.attempt(message, to: current, secrets: secrets)
        // A request that was cancelled says nothing about the receiver.
        if Task.isCancelled, !outcome.isSuccess { return }
        try await note(finished(attempted, outcome), of: current, outcome: outcome)
    }

    /// The message with the state and the time that follow from an attempt.
    private func finished(_ message: WebhookDelivery, _ outcome: WebhookOutcome) -> WebhookDelivery {
        var message = message
        message.dueAt = nil
        if outcome.isSuccess {
            message.state = .delivered
        } else if case .answered(Self.gone, _) = outcome {
            message.state = .failed
        } else if let time = DeliveryRetries.nextAttempt(
            after: message.attemptCount, createdAt: message.createdAt, at: now,
            requestedDelay: Self.requestedDelay(outcome), factor: factor())
        {
            message.dueAt = time
        } else {
            message.state = .failed
        }
        return message
    }

    /// 410 Gone: the receiver wants no more messages.
    private static let gone = 410

    /// The delay that a receiver that has too much to do asks for.
    private static func requestedDelay(_ outcome: WebhookOutcome) -> Duration? {
        guard case .answered(let status, let delay?) = outcome, status == 429 || status == 503 else { return nil }
        return min(delay, DeliveryRetries.schedule.maximumRequestedDelay)
    }

    /// Writes what has come of a message.
    ///
    /// - Parameter outcome: `nil` if it was not sent.
    private func note(
        _ message: WebhookDelivery, of receiver: WebhookReceiver, outcome: WebhookOutcome?
    ) async throws {
        let (id, now) = (receiver.id, now)
        let heldUntil = outcome.flatMap(Self.requestedDelay).map { now + $0 }
        let disabled = try await database.write { db -> WebhookReceiver.DisabledReason? in
            guard try DeliveryRows.note(message, at: now, db), let outcome else { return nil }
            if outcome.isSuccess {
                if try ReceiverRows.noteSuccess(id, db) { try DeliveryRows.hasten(id, at: now, db) }
                return nil
            }
            let isFailing = try ReceiverRows.noteFailure(id, heldUntil: heldUntil, at: now, db)
            if case .answered(Self.gone, _) = outcome {
                try ReceiverRows.disable(id, .gone, db)
                return .gone
            }
            return isFailing ? .failing : nil
        }
        if message.state != .pending { state.withLock { _ = $0.full.remove(id) } }
        if message.state == .failed { webhooks.counters.withLock { $0.givenUpCount += 1 } }
        if let disabled {
            logger.notice(
                "webhook disabled", metadata: [.webhookID: "\(id)", .reason: "\(disabled.rawValue)"])
        }
    }
}
