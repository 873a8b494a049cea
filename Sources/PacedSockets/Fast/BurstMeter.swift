package import NIOCore

/// Measures how many datagrams a publisher sends at once.
///
/// A camera sends a key frame within a few milliseconds, and packets that do not fit into the socket's receive buffer
/// are lost. Reads may only be delayed for a publisher whose bursts have been small.
package struct BurstMeter: Sendable {
    /// Memory that Linux counts for a datagram of the usual size, which fits into an Ethernet frame. (Its buffer has 2
    /// KiB, and its description some hundred bytes.)
    private static let datagramByteCount = 2_304
    /// Largest receive buffer that Linux grants by default (net.core.rmem_max), as it counts it: twice the 208 KB.
    package static let standardReceiveBufferByteCount = 2 * 212_992
    /// Length of a measuring period in nanoseconds. Cameras send a key frame every second or two, and at least every
    /// ten seconds.
    private static let memory: UInt64 = 10_000_000_000

    /// Largest burst, in datagrams, at which reads may be delayed: half of the receive buffer, because the
    /// next burst may be larger. A burst that is split between two windows is split between two reads, too.
    let maximumDatagramCount: Int
    private let window: UInt64
    /// Start of the measuring period; `nil` before the first datagram.
    private var memoryStart: UInt64?
    private var windowIndex: UInt64 = 0
    private var count = 0
    private var peak = 0
    /// Largest burst in the previous measuring period; `nil` until one has passed.
    private var earlierPeak: Int?

    /// - Parameters:
    ///   - interval: the time between two reads, for which it is to be decided.
    ///   - receiveBufferByteCount: the size of the socket's receive buffer as SO_RCVBUF of socket(7) reports it.
    package init(interval: Duration, receiveBufferByteCount: Int = Self.standardReceiveBufferByteCount) {
        window = UInt64(TimeAmount(interval).nanoseconds)
        maximumDatagramCount = min(
            receiveBufferByteCount / Self.datagramByteCount / 2, ReceptionScratch.maximumDatagramCount)
    }

    package mutating func received(now: NIODeadline) {
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
    package var isCalm: Bool {
        guard let earlierPeak else { return false }
        return max(peak, earlierPeak) <= maximumDatagramCount
    }
}
