import DequeModule
package import Logging
import LogMetadata
package import MediaCore
import Synchronization

/// Makes a mail when its turn comes; `nil` if there is nobody to write to. Nobody who asks for mail learns from the
/// time of the answer whether somebody gets one.
package typealias MailDraft = @Sendable () async throws -> MailMessage?

/// Mail that waits to be sent. It is kept in memory: what a restart loses can be asked for again.
///
/// One task sends one mail after the other (``run()``). A mail that the server does not take now is tried again, with
/// growing delays and up to a limit; one that it refuses is given up. Log lines name the recipient's domain only, and
/// nothing of the mail.
package final class MailQueue<QueueClock: Clock>: Sendable where QueueClock.Duration == Duration {
    private enum Content {
        case draft(MailDraft)
        case mail(OutgoingMail)
    }

    private struct Item {
        var content: Content
        var attemptCount = 0
        var notBefore: QueueClock.Instant?
    }

    private struct State {
        /// Items in the order of their arrival, without a delay.
        var new = Deque<Item>()
        /// Items that were tried.
        var delayed: [Item] = []
        var isSending = false
        var isClosed = false
        /// Whether a dropped mail was logged since there was room.
        var hasReportedOverflow = false

        var count: Int { new.count + delayed.count + (isSending ? 1 : 0) }
    }

    private enum Step {
        case send(Item)
        case wait(until: QueueClock.Instant?)
        case stop
    }

    private let transport: any MailTransport
    private let limits: MailQueueLimits
    private let clock: QueueClock
    private let wallClock: WallClock
    private let logger: Logger
    private let state = Mutex(State())
    private let arrived = MailSignal()
    private let closed = MailSignal()

    /// - Parameters:
    ///   - transport: delivers the mail.
    ///   - limits: the limits of the queue.
    ///   - clock: measures the delays.
    ///   - wallClock: tells the date of each mail.
    ///   - logger: receives what became of mails.
    package init(
        _ transport: any MailTransport, limits: MailQueueLimits = .init(), clock: QueueClock,
        wallClock: WallClock = .system, logger: Logger
    ) {
        (self.transport, self.limits, self.clock, self.wallClock) = (transport, limits, clock, wallClock)
        self.logger = logger
    }

    /// The number of mails that wait, with the one that is being sent.
    package var count: Int { state.withLock { $0.count } }

    /// Adds a mail, without waiting for anything.
    ///
    /// - Returns: false if the mail is dropped, because too many wait or the queue is closed.
    @discardableResult package func add(_ draft: @escaping MailDraft) -> Bool {
        let (isAdded, isReported) = state.withLock { state -> (Bool, Bool) in
            guard !state.isClosed, state.count < limits.maximumCount else {
                defer { state.hasReportedOverflow = true }
                return (false, !state.hasReportedOverflow)
            }
            state.hasReportedOverflow = false
            state.new.append(Item(content: .draft(draft)))
            return (true, false)
        }
        if isAdded {
            arrived.set()
        } else if isReported {
            logger.error("mail dropped: the queue is full", metadata: [.count: "\(limits.maximumCount)"])
        }
        return isAdded
    }

    /// Adds a mail that is ready.
    @discardableResult package func add(_ message: MailMessage) -> Bool { add { message } }

    /// Accepts no more mail; ``run()`` sends what it can within ``MailQueueLimits/closingTime`` and returns.
    package func close() {
        state.withLock { $0.isClosed = true }
        closed.set()
        arrived.set()
    }

    /// Sends mail until the queue is closed, or the task is cancelled. Called once.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.sendAll() }
            group.addTask {
                await self.closed.wait()
                // The sending task ends by itself if it is done earlier.
                try? await self.clock.sleep(for: self.limits.closingTime)
            }
            await group.next()
            group.cancelAll()
        }
        let count = state.withLock { state -> Int in
            defer { (state.new, state.delayed) = ([], []) }
            return state.count
        }
        if count > 0 {
            logger.warning("mail dropped: the server is shutting down", metadata: [.count: "\(count)"])
        }
    }

    // MARK: The task

    private func sendAll() async {
        while !Task.isCancelled {
            switch nextStep() {
            case .stop: return
            case .wait(let instant): await wait(until: instant)
            case .send(let item): await send(item)
            }
        }
    }

    private func nextStep() -> Step {
        let now = clock.now
        return state.withLock { state in
            if let item = state.new.popFirst() {
                state.isSending = true
                return .send(item)
            }
            let next = state.delayed.indices.min { first, second in
                (state.delayed[first].notBefore ?? now) < (state.delayed[second].notBefore ?? now)
            }
            guard let next else { return state.isClosed ? .stop : .wait(until: nil) }
            let instant = state.delayed[next].notBefore ?? now
            guard state.isClosed || instant <= now else { return .wait(until: instant) }
            state.isSending = true
            return .send(state.delayed.remove(at: next))
        }
    }

    /// Waits for new mail, and for a point in time at most.
    private func wait(until instant: QueueClock.Instant?) async {
        guard let instant else { return await arrived.wait() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.arrived.wait() }
            group.addTask { try? await self.clock.sleep(until: instant, tolerance: nil) }
            await group.next()
            group.cancelAll()
        }
    }

    private func send(_ item: Item) async {
        var item = item
        item.attemptCount += 1
        let again = await attempt(&item)
        state.withLock { state in
            state.isSending = false
            // Nobody waits for another attempt of a server that stops.
            if again, !state.isClosed { state.delayed.append(item) }
        }
    }

    /// Tries to make and to send a mail.
    ///
    /// - Returns: whether it has to be tried again, after ``Item/notBefore``.
    private func attempt(_ item: inout Item) async -> Bool {
        var values = LogValues()
        do {
            guard let mail = try await mail(&item) else { return false }
            values[.mailDomain] = "\(mail.to.domain)"
            try await transport.deliver(mail)
            logger.info("mail sent", metadata: values)
            return false
        } catch is CancellationError {
            values[.reason] = "the server is shutting down"
            logger.warning("mail could not be sent", metadata: values)
            return false
        } catch {
            values[.error] = "\(error)"
            values[.count] = "\(item.attemptCount)"
            let mayBeRetried = (error as? SMTPError)?.mayBeRetried ?? !(error is MailFormatError)
            guard mayBeRetried, item.attemptCount < limits.maximumAttemptCount else {
                logger.error("mail could not be sent", metadata: values)
                return false
            }
            let delay = limits.schedule.delay(after: item.attemptCount)
            item.notBefore = clock.now.advanced(by: delay)
            values[.seconds] = "\(delay.components.seconds)"
            logger.warning("mail could not be sent; will retry", metadata: values)
            return true
        }
    }

    private func mail(_ item: inout Item) async throws -> OutgoingMail? {
        switch item.content {
        case .mail(let mail): return mail
        case .draft(let draft):
            guard let message = try await draft() else { return nil }
            let mail = OutgoingMail(
                from: message.from, to: message.to,
                bytes: message.rendered(at: wallClock.now(), id: MessageID(domain: message.from.domain)))
            // The next attempt sends the same mail, by which servers know it again.
            item.content = .mail(mail)
            return mail
        }
    }
}
