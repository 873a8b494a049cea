import Foundation
import MediaCore

/// Threads that own a session each and carry out calls in the order of their arrival.
///
/// A thread is started if a call finds none that is free, up to the size of the pool, and ends when it has had nothing
/// to do for a while. While the server cannot be reached, calls fail at once, and one of them tries again after a
/// delay that grows.
///
/// Safe to share: everything that changes is read and written while `condition` is locked.
final class PostgreSQLWorkers: @unchecked Sendable {
    private let address: PostgreSQLAddress
    private let condition = NSCondition()
    private var waiting: [PostgreSQLJob] = []
    private var threadCount = 0
    private var idleCount = 0
    private var isClosed = false
    /// The last attempt to connect failed: the reason, and when the next may begin.
    private var outage: Outage?

    private struct Outage {
        var reason: String
        var attemptCount: Int
        var nextAttempt: ContinuousClock.Instant
    }

    /// Limit on calls that wait. Each request of a visitor is at most one.
    private static let maximumWaitingCount = 1_000
    /// Time after which a session without work is closed.
    private static let idleSeconds = 60.0
    private static let schedule = RetrySchedule(first: .milliseconds(100), maximum: .seconds(5), jitter: 0.5...1)

    init(_ address: PostgreSQLAddress) { self.address = address }

    /// Lets a thread carry the call out, or fails it.
    func submit(_ job: PostgreSQLJob) {
        condition.lock()
        if isClosed {
            condition.unlock()
            return job.fail(SQLError(.unavailable, "the database \(address.description) is closed"))
        }
        guard waiting.count < Self.maximumWaitingCount else {
            condition.unlock()
            return job.fail(
                SQLError(.unavailable, "the database \(address.description) is busy: too many requests wait for it"))
        }
        waiting.append(job)
        let needsThread = waiting.count > idleCount && threadCount < address.poolSize
        if needsThread { threadCount += 1 }
        condition.signal()
        condition.unlock()
        if needsThread {
            let thread = Thread { [self] in work() }
            thread.name = "postgresql"
            thread.start()
        }
    }

    /// Fails the calls that wait and lets the threads end.
    func close() {
        condition.lock()
        isClosed = true
        let jobs = waiting
        waiting = []
        condition.broadcast()
        condition.unlock()
        for job in jobs { job.fail(SQLError(.unavailable, "the database \(address.description) is closed")) }
    }

    // MARK: A thread

    private func work() {
        var session: PostgreSQLSession?
        while let job = next() {
            carryOut(job, &session)
            if session?.isUsable == false { session = nil }
        }
    }

    /// The next call; `nil` if the thread is to end.
    private func next() -> PostgreSQLJob? {
        condition.lock()
        defer { condition.unlock() }
        let end = Date(timeIntervalSinceNow: Self.idleSeconds)
        while waiting.isEmpty, !isClosed {
            idleCount += 1
            let isSignalled = condition.wait(until: end)
            idleCount -= 1
            if !isSignalled, waiting.isEmpty { break }
        }
        if waiting.isEmpty {
            threadCount -= 1
            return nil
        }
        return waiting.removeFirst()
    }

    private func carryOut(_ job: PostgreSQLJob, _ session: inout PostgreSQLSession?) {
        // A session that was idle may have been ended by the server meanwhile, which the first statement tells.
        for isSecondAttempt in [false, true] {
            guard job.deadline > .now else {
                return job.fail(unavailable("it did not answer in time"))
            }
            let current: PostgreSQLSession
            if let session {
                current = session
            } else {
                switch connect(job.deadline) {
                case .success(let new): current = new
                case .failure(let error): return job.fail(error)
                }
            }
            current.deadline = job.deadline
            session = current
            switch job.run(current) {
            case .resumed: return
            case .connectionLost(let reason):
                session = nil
                if isSecondAttempt { return job.fail(unavailable(reason)) }
            }
        }
    }

    private func connect(_ deadline: ContinuousClock.Instant) -> Result<PostgreSQLSession, SQLError> {
        if let reason = outageReason() { return .failure(unavailable(reason)) }
        do throws(PostgreSQLFailure) {
            let session = try PostgreSQLSession(address, deadline: deadline)
            condition.withLock { outage = nil }
            return .success(session)
        } catch {
            noteOutage(error.message)
            return .failure(error.error(address: address.description))
        }
    }

    /// Why the server cannot be reached, if it is too early to try again. Otherwise the next caller has to wait until
    /// this one has tried.
    private func outageReason() -> String? {
        condition.withLock {
            guard var current = outage else { return nil }
            if current.nextAttempt > .now { return current.reason }
            current.nextAttempt = .now + Self.schedule.delay(after: current.attemptCount)
            outage = current
            return nil
        }
    }

    private func noteOutage(_ reason: String) {
        condition.withLock {
            let count = (outage?.attemptCount ?? 0) + 1
            let delay = Self.schedule.delay(after: count, factor: .random(in: Self.schedule.jitter))
            outage = Outage(reason: reason, attemptCount: count, nextAttempt: .now + delay)
        }
    }

    private func unavailable(_ reason: String) -> SQLError {
        PostgreSQLFailure.lost(reason).error(address: address.description)
    }
}
