import Accounts
package import Database
import Events
import LogMetadata
package import Logging
import MediaCore
import Synchronization

/// Queues events for receivers, and sends what is due.
///
/// A message about a resource is not sent before the earlier ones about the same resource are finished. An event is
/// queued in the transaction that notes it as read, so none is lost if the process ends, and one whose acknowledgement
/// was not written is sent again with the same `webhook-id`.
///
/// Several servers can share a database: each receiver is leased to one of them.
package final class WebhookDispatcher: Sendable {
    /// Interval in which is looked for what is due.
    static let interval = Duration.seconds(1)
    /// Without receivers, the time after which is looked although nothing in the database has changed.
    static let longestPause = Duration.seconds(30)
    /// Time for which a receiver is leased. A server that was killed is replaced after it.
    static let leaseTime = Duration.seconds(40)
    /// A lease is renewed when less than this is left of it.
    static let renewalTime = Duration.seconds(30)
    /// Time that must be left of a lease before something is sent: the request, and the write of its outcome.
    static let sendingTime = WebhookRequest.timeLimit + .seconds(5)
    /// Limit of the receivers that are dealt with at the same time.
    static let maximumReceiverCount = 32
    /// Limit of the requests to a receiver at the same time.
    static let maximumRequestCountPerReceiver = 4
    /// Limit of the messages that are sent before other receivers have their turn.
    static let maximumMessageCountPerTurn = 64
    /// Number of events that are not for a receiver after which that is written down.
    static let maximumUnwrittenCount: Int64 = 64
    /// Limit of the events that are queued in one transaction, which has a time limit.
    static let maximumEventCountPerTransaction = 64
    /// Pause of a receiver after the database did not take what came of a request.
    static let pauseWithoutDatabase = Duration.seconds(30)

    struct State {
        /// The receivers that are leased, with the last event that was read for each.
        var leased: [OpaqueID: Int64] = [:]
        /// The receivers that are being dealt with.
        var busy: Set<OpaqueID> = []
        /// The receivers that wait for the database.
        var paused: [OpaqueID: WallClockTime] = [:]
        /// The receivers for which as many messages wait as may; their events stay in the journal.
        var full: Set<OpaqueID> = []
        /// Whether there are receivers, also those of other servers.
        var hasReceivers = true
        var isAway = false
    }

    let webhooks: Webhooks
    let holder: String
    let logger: Logger
    let factor: @Sendable () -> Double
    let state = Mutex(State())

    var database: any SQLDatabase { webhooks.database }
    private var journal: EventJournal { webhooks.journal }
    var now: WallClockTime { webhooks.wallClock.now() }

    /// - Parameters:
    ///   - webhooks: the receivers.
    ///   - holder: the name of this server among those that share the database.
    ///   - logger: receives notices of receivers that are disabled, and warnings about the database.
    ///   - factor: a number from 0.8 to 1.2 by which a delay is multiplied.
    package init(
        _ webhooks: Webhooks, holder: String, logger: Logger,
        factor: @escaping @Sendable () -> Double = { .random(in: DeliveryRetries.schedule.jitter) }
    ) {
        (self.webhooks, self.holder, self.logger, self.factor) = (webhooks, holder, logger, factor)
    }

    // MARK: Running

    /// Sends until the task is cancelled. Call ``release()`` then.
    ///
    /// - Parameter changes: the watch of the database. Without receivers nothing happens until one is added.
    package func run(after changes: DatabaseChanges) async {
        var news = changes.follow(atLeastEvery: Self.longestPause).makeAsyncIterator()
        await withDiscardingTaskGroup { group in
            repeat {
                for receiver in await findWork() where begin(receiver) {
                    group.addTask {
                        await self.work(receiver)
                        self.end(receiver)
                    }
                }
            } while await pause(&news)
        }
    }

    /// - Returns: false if the task has been cancelled.
    private func pause(_ news: inout AsyncStream<Void>.Iterator) async -> Bool {
        if state.withLock(\.hasReceivers) { return (try? await BeatClock().sleep(for: Self.interval)) != nil }
        return await news.next() != nil
    }

    /// Does all that is to be done at this time, and returns when it is done.
    package func turn() async {
        await withDiscardingTaskGroup { group in
            for receiver in await findWork() where begin(receiver) {
                group.addTask {
                    await self.work(receiver)
                    self.end(receiver)
                }
            }
        }
    }

    /// Lets other servers take the receivers at once.
    package func release() async {
        let holder = holder
        state.withLock { $0.leased.removeAll() }
        do {
            try await database.write { db in try ReceiverRows.release(holder, db) }
        } catch {
            logger.debug("webhook leases could not be released", metadata: [.error: "\(error)"])
        }
    }

    private func begin(_ receiver: OpaqueID) -> Bool {
        state.withLock { state in
            guard state.busy.count < Self.maximumReceiverCount else { return false }
            return state.busy.insert(receiver).inserted
        }
    }

    private func end(_ receiver: OpaqueID) { state.withLock { _ = $0.busy.remove(receiver) } }

    // MARK: Finding work

    /// Renews the leases, and finds the receivers for which something is due or events are to be read.
    private func findWork() async -> [OpaqueID] {
        do {
            let due = try await renewLeases()
            let last = journal.lastNumber
            let now = now
            return state.withLock { state in
                state.isAway = false
                state.paused = state.paused.filter { $0.value > now }
                let behind = state.leased.filter { $0.value < last && !state.full.contains($0.key) }.keys
                // The order is random, so that none always comes last.
                return Set(due).union(behind).filter { state.leased[$0] != nil && state.paused[$0] == nil }.shuffled()
            }
        } catch is CancellationError {
            return []
        } catch {
            let isNew = state.withLock { state in
                defer { state.isAway = true }
                return !state.isAway
            }
            if isNew {
                logger.warning("webhook leases could not be renewed; will retry", metadata: [.error: "\(error)"])
            }
            return []
        }
    }

    /// - Returns: the receivers for which messages are due.
    private func renewLeases() async throws -> [OpaqueID] {
        let (holder, now) = (holder, now)
        func isOwn(_ lease: ReceiverRows.Lease) -> Bool { lease.holder == holder && (lease.endsAt ?? now) > now }
        var leases = try await database.read { db in try ReceiverRows.leases(db) }
        let needsRenewal = leases.contains { lease in
            let end = lease.endsAt ?? now
            return lease.holder == nil || (lease.holder == holder ? end < now + Self.renewalTime : end < now)
        }
        if needsRenewal {
            leases = try await database.write { db in
                try ReceiverRows.lease(to: holder, until: now + Self.leaseTime, at: now, db)
                return try ReceiverRows.leases(db)
            }
        }
        let own = leases.filter(isOwn)
        state.withLock { [leases] state in
            state.hasReceivers = !leases.isEmpty
            let read = state.leased
            state.leased = Dictionary(
                own.map { ($0.id, max($0.lastEvent, read[$0.id] ?? 0)) }, uniquingKeysWith: { first, _ in first })
            // Another server may make room while it has the lease.
            state.full.formIntersection(state.leased.keys)
        }
        guard !own.isEmpty else { return [] }
        return try await database.read { db in try DeliveryRows.receivers(dueAt: now, leasedTo: holder, db) }
    }

    // MARK: One receiver

    private func work(_ id: OpaqueID) async {
        do {
            guard let receiver = try await database.read({ db in try ReceiverRows.receiver(id, db) }) else { return }
            // First the last event, then what the owner may be told of: the journal has brought the rules up to the
            // former. The other way round, a later event would be judged by older rules.
            let last = journal.lastNumber
            let visibility = try await visibility(of: receiver)
            try await queueEvents(for: receiver, visibility, through: last)
            try await sendDue(to: receiver)
        } catch is CancellationError {
            // The rest is sent after the next start.
        } catch {
            let end = now + Self.pauseWithoutDatabase
            state.withLock { $0.paused[id] = end }
            logger.warning(
                "webhook messages could not be processed; will retry",
                metadata: [.webhookID: "\(id)", .error: "\(error)"])
        }
    }

    /// The events that the owner may receive; `nil` if the account is suspended or deleted.
    func visibility(of receiver: WebhookReceiver) async throws -> EventVisibility? {
        let accounts = webhooks.accounts
        let principal: Principal?
        if let owner = receiver.owner {
            principal = try await accounts.absentPrincipal(of: owner)
        } else {
            principal = .machine(.tokenFile)
        }
        return principal.map {
            EventVisibility($0, webhooks.kinds, permissions: accounts.permissions, audiences: accounts.audiences)
        }
    }

    // MARK: Queueing

    /// Queues the events that the receiver has not been queued, as long as there is room.
    private func queueEvents(
        for receiver: WebhookReceiver, _ visibility: EventVisibility?, through last: Int64
    ) async throws {
        var read = max(receiver.lastEvent, state.withLock { $0.leased[receiver.id] } ?? 0)
        while read < last {
            let (events, hasGap) = try await journal.missed(after: read, through: last)
            let batch = Array(events.prefix(Self.maximumEventCountPerTransaction))
            let reached = try await queue(batch, hasGap, after: read, through: last, for: receiver, visibility)
            guard let reached else { return }
            guard reached > read else {
                state.withLock { _ = $0.full.insert(receiver.id) }
                return
            }
            read = reached
            state.withLock { state in if state.leased[receiver.id] != nil { state.leased[receiver.id] = reached } }
        }
    }

    /// - Returns: the last event that was queued or is not for the receiver; `nil` if it is leased to another server,
    ///   or is disabled.
    private func queue(
        _ events: [Event], _ hasGap: Bool, after number: Int64, through last: Int64, for receiver: WebhookReceiver,
        _ visibility: EventVisibility?
    ) async throws -> Int64? {
        let (id, holder, now) = (receiver.id, holder, now)
        let wanted = events.filter { event in
            receiver.filter.includes(event) && (visibility?.includes(event.subject) ?? false)
        }
        // Without a further event in the journal, all up to the last one are gone.
        let end = events.last?.number ?? last
        let isDue = !wanted.isEmpty || hasGap || end - receiver.lastEvent >= Self.maximumUnwrittenCount
        guard isDue else { return end }
        return try await database.write { db -> Int64? in
            guard try ReceiverRows.isLeased(id, to: holder, until: now, db) else { return nil }
            let room = WebhookDelivery.maximumPendingCount - (try DeliveryRows.pendingCount(of: id, db))
            guard room > 0 else { return number }
            if hasGap {
                let missedCount = (events.first?.number ?? last + 1) - number - 1
                try DeliveryRows.insert(Self.missed(missedCount, of: id, at: now), db)
            }
            for event in wanted.prefix(room) { try DeliveryRows.insert(Self.message(event, to: id, at: now), db) }
            // Those for which there is no room stay in the journal.
            let reached = wanted.count > room ? wanted[room - 1].number : end
            try ReceiverRows.advance(id, to: reached, db)
            return reached
        }
    }

    private static func message(_ event: Event, to receiver: OpaqueID, at time: WallClockTime) -> WebhookDelivery {
        WebhookDelivery(
            number: 0, id: OpaqueID(), receiver: receiver, messageID: Webhooks.newMessageID(), event: event.number,
            type: event.type.rawValue, subject: event.subject,
            body: Webhooks.body(event.type.rawValue, happenedAt: event.time, data: event.json), state: .pending,
            attemptCount: 0, createdAt: time, dueAt: time)
    }

    private static func missed(_ count: Int64, of receiver: OpaqueID, at time: WallClockTime) -> WebhookDelivery {
        WebhookDelivery(
            number: 0, id: OpaqueID(), receiver: receiver, messageID: "", type: WebhookDelivery.missedType, body: "",
            state: .missed, attemptCount: 0, missedCount: count, createdAt: time)
    }
}
