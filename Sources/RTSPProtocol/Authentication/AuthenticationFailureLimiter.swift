package import NIOCore

/// Slows down who guesses passwords (RFC 7616 §5.8 leaves that to the server).
///
/// Every attempt with credentials is asked for first. After failures an address' attempts are spaced, whatever
/// connections they come on: hanging up and calling again gains nothing. Attempts wait rather than fail, so that other
/// publishers behind the same address are late and not shut out.
package struct AuthenticationFailureLimiter: Sendable {
    package struct Limits: Hashable, Sendable {
        /// Typing errors.
        package var freeFailureCount = 1
        /// After the first failure that counts; doubles with each one after it.
        package var firstDelay = TimeAmount.seconds(1)
        /// Within the patience of every client that there is, ffmpeg's and GStreamer's 20 s among them.
        package var maximumDelay = TimeAmount.seconds(8)
        /// After this time without a failure an address starts afresh.
        package var memory = TimeAmount.minutes(10)
        /// Some 200 bytes each. The one that has been quiet for longest makes room.
        package var maximumAddressCount = 4_096

        package init() {}
    }

    package enum Admission: Hashable, Sendable {
        /// Check the credentials.
        case now
        /// Check them when this time has passed; the place is kept.
        case after(TimeAmount)
        /// More wait already than can be let wait: 503, to be tried again after this time.
        case refused(retryAfter: TimeAmount)
    }

    private struct Record {
        var failureCount = 0
        var lastFailure: NIODeadline
        /// When the next attempt may be looked at.
        var nextAttempt: NIODeadline
    }

    package let limits: Limits
    private var records: [String: Record] = [:]

    package init(limits: Limits = Limits()) { self.limits = limits }

    package var addressCount: Int { records.count }

    /// - Parameter address: without port; of IPv6 the network, where one is to be told from another by it.
    package mutating func admit(_ address: String, now: NIODeadline) -> Admission {
        guard var record = records[address] else { return .now }
        guard now < record.lastFailure + limits.memory else {
            records[address] = nil
            return .now
        }
        let step = delay(after: record.failureCount)
        guard step > .zero else { return .now }
        let start = max(now, record.nextAttempt)
        let wait = start - now
        guard wait <= limits.maximumDelay else { return .refused(retryAfter: wait) }
        record.nextAttempt = start + step
        records[address] = record
        return wait > .zero ? .after(wait) : .now
    }

    package mutating func failed(_ address: String, now: NIODeadline) {
        if records[address] == nil { makeRoom() }
        var record = records[address] ?? Record(lastFailure: now, nextAttempt: now)
        if now >= record.lastFailure + limits.memory { record.failureCount = 0 }
        record.failureCount = min(record.failureCount + 1, Self.maximumFailureCount)
        record.lastFailure = now
        record.nextAttempt = max(record.nextAttempt, now + delay(after: record.failureCount))
        records[address] = record
    }

    /// Halves what is held against the address, rather than forgetting it: who knows one password could otherwise
    /// guess at another's without end.
    package mutating func succeeded(_ address: String) {
        guard var record = records[address] else { return }
        record.failureCount /= 2
        records[address] = record.failureCount == 0 ? nil : record
    }

    private static let maximumFailureCount = 64

    private func delay(after failureCount: Int) -> TimeAmount {
        let excess = failureCount - limits.freeFailureCount
        guard excess > 0 else { return .zero }
        // Beyond this the doubling is far above any bound.
        let (nanoseconds, overflow) = limits.firstDelay.nanoseconds.multipliedReportingOverflow(
            by: 1 << Int64(min(excess - 1, 32)))
        return overflow ? limits.maximumDelay : min(.nanoseconds(nanoseconds), limits.maximumDelay)
    }

    private mutating func makeRoom() {
        guard records.count >= limits.maximumAddressCount else { return }
        let oldest = records.min { $0.value.lastFailure < $1.value.lastFailure }
        if let oldest { records[oldest.key] = nil }
    }
}
