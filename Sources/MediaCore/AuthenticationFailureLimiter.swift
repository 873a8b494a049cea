package import NIOCore

/// Slows down clients that guess passwords (RFC 7616 §5.8 leaves the method to the server).
///
/// Every attempt with credentials must be admitted first. After failures, the attempts from an address are spaced,
/// whichever connections they use, so reconnecting does not help. Attempts are delayed instead of rejected, so that
/// other publishers at the same address are late but not locked out.
package struct AuthenticationFailureLimiter: Sendable {
    /// Parameters of the limiter.
    package struct Limits: Hashable, Sendable {
        /// Failures that have no consequences, to allow for typing errors.
        package var freeFailureCount = 1
        /// Delay after the first failure that counts; it doubles with each further failure.
        package var firstDelay = TimeAmount.seconds(1)
        /// Upper bound on the delay. Every known client waits longer for a response; ffmpeg and GStreamer wait 20 s.
        package var maximumDelay = TimeAmount.seconds(8)
        /// Time without a failure after which an address starts again without failures.
        package var memory = TimeAmount.minutes(10)
        /// Limit on addresses to remember, about 200 bytes each. The address without failures for the longest time is
        /// replaced.
        package var maximumAddressCount = 4_096

        package init() {}
    }

    /// Decision on an attempt.
    package enum Admission: Hashable, Sendable {
        /// The credentials may be checked now.
        case now
        /// The credentials may be checked after this delay; the attempt's turn is reserved.
        case after(TimeAmount)
        /// Too many attempts are waiting already. Answer with 503; the client may try again after this time.
        case refused(retryAfter: TimeAmount)
    }

    private struct Record {
        var failureCount = 0
        var lastFailure: NIODeadline
        /// Time at which the next attempt may be checked.
        var nextAttempt: NIODeadline
    }

    package let limits: Limits
    private var records: [String: Record] = [:]

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Number of addresses with failures.
    package var addressCount: Int { records.count }

    /// Decides when the credentials of an attempt may be checked.
    ///
    /// - Parameters:
    ///   - address: the peer's address without port; for IPv6 the network, if addresses are to be told apart by
    ///     network.
    ///   - now: the current time of the monotonic clock.
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

    /// Records a failed attempt.
    package mutating func failed(_ address: String, now: NIODeadline) {
        if records[address] == nil { makeRoom() }
        var record = records[address] ?? Record(lastFailure: now, nextAttempt: now)
        if now >= record.lastFailure + limits.memory { record.failureCount = 0 }
        record.failureCount = min(record.failureCount + 1, Self.maximumFailureCount)
        record.lastFailure = now
        record.nextAttempt = max(record.nextAttempt, now + delay(after: record.failureCount))
        records[address] = record
    }

    /// Records a successful attempt. It halves the failure count instead of clearing it; otherwise a client that
    /// knows one password could guess another without limit.
    package mutating func succeeded(_ address: String) {
        guard var record = records[address] else { return }
        record.failureCount /= 2
        records[address] = record.failureCount == 0 ? nil : record
    }

    private static let maximumFailureCount = 64

    private func delay(after failureCount: Int) -> TimeAmount {
        let excess = failureCount - limits.freeFailureCount
        guard excess > 0 else { return .zero }
        // A longer delay exceeds the upper bound anyway.
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
