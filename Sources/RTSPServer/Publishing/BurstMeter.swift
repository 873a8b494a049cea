import NIOCore

/// How many datagrams a publisher sends at once.
///
/// A key frame leaves a camera within a few milliseconds, and what does not fit into the socket's receive buffer is lost.
/// Only a publisher whose bursts have been small may be left unread until the next tick.
struct BurstMeter: Sendable {
    /// Linux grants 208 KB of receive buffer unless `net.core.rmem_max` says otherwise, which takes some 180 datagrams of
    /// the usual size. A third: a burst may lie in two windows, and the next one may be larger.
    static let maximumDatagramCount = 60
    /// Cameras have key frames each second or two, and each ten seconds at most.
    private static let memory: UInt64 = 10_000_000_000
    private static let window = UInt64(ReceptionTicks.interval.nanoseconds)

    /// `nil` before the first datagram.
    private var memoryStart: UInt64?
    private var windowIndex: UInt64 = 0
    private var count = 0
    private var peak = 0
    /// Of the ten seconds before; `nil` until these have passed.
    private var earlierPeak: Int?

    mutating func received(now: NIODeadline) {
        let nanoseconds = now.uptimeNanoseconds
        let start = memoryStart ?? nanoseconds
        memoryStart = start
        if nanoseconds >= start, nanoseconds - start >= Self.memory {
            earlierPeak = peak
            peak = 0
            memoryStart = nanoseconds
        }
        if nanoseconds / Self.window != windowIndex {
            windowIndex = nanoseconds / Self.window
            count = 0
        }
        count += 1
        peak = max(peak, count)
    }

    /// Ten seconds have been looked at, and no burst since their beginning was large.
    var isCalm: Bool {
        guard let earlierPeak else { return false }
        return max(peak, earlierPeak) <= Self.maximumDatagramCount
    }
}
