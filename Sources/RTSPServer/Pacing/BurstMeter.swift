import NIOCore

/// Measures how many datagrams a publisher sends at once.
///
/// A camera sends a key frame within a few milliseconds, and packets that do not fit into the socket's receive buffer
/// are lost. Reads may only be delayed for a publisher whose bursts have been small.
struct BurstMeter: Sendable {
    /// Largest burst, in datagrams, at which reads may be delayed. By default Linux grants a receive buffer of 208
    /// KB, which holds about 180 datagrams of the usual size. This is half of it, because the next burst may be
    /// larger. A burst that is split between two windows is split between two reads, too.
    static let maximumDatagramCount = 90
    /// Length of a measuring period in nanoseconds. Cameras send a key frame every second or two, and at least every
    /// ten seconds.
    private static let memory: UInt64 = 10_000_000_000

    private let window: UInt64
    /// Start of the measuring period; `nil` before the first datagram.
    private var memoryStart: UInt64?
    private var windowIndex: UInt64 = 0
    private var count = 0
    private var peak = 0
    /// Largest burst in the previous measuring period; `nil` until one has passed.
    private var earlierPeak: Int?

    /// - Parameter interval: the time between two reads, for which it is to be decided.
    init(interval: Duration) { window = UInt64(TimeAmount(interval).nanoseconds) }

    mutating func received(now: NIODeadline) {
        let nanoseconds = now.uptimeNanoseconds
        let start = memoryStart ?? nanoseconds
        memoryStart = start
        if nanoseconds >= start, nanoseconds - start >= Self.memory {
            earlierPeak = peak
            peak = 0
            memoryStart = nanoseconds
        }
        if nanoseconds / window != windowIndex {
            windowIndex = nanoseconds / window
            count = 0
        }
        count += 1
        peak = max(peak, count)
    }

    /// Whether bursts have been small for at least one complete measuring period.
    var isCalm: Bool {
        guard let earlierPeak else { return false }
        return max(peak, earlierPeak) <= Self.maximumDatagramCount
    }
}
