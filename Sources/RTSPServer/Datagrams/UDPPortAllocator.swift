import NIOCore
import Synchronization

/// Takes port pairs from a range in turn, so that a publisher that comes back does not meet its old packets.
final class UDPPortAllocator: Sendable {
    private let firstPort: UInt16
    private let pairCount: Int
    private let cursor: Atomic<Int>

    init(range: ClosedRange<UInt16>) {
        // RTP takes even ports (RFC 3550 §11).
        let first = range.lowerBound % 2 == 0 ? Int(range.lowerBound) : Int(range.lowerBound) + 1
        firstPort = UInt16(clamping: first)
        pairCount = max(0, (Int(range.upperBound) - first + 1) / 2)
        cursor = Atomic(0)
    }

    /// The next pair to try; `nil` where the range has none. Whether it is free only binding tells.
    func next() -> (rtp: Int, rtcp: Int)? {
        guard pairCount > 0 else { return nil }
        let turn = cursor.wrappingAdd(1, ordering: .relaxed).oldValue
        let port = Int(firstPort) + (turn & Int.max) % pairCount * 2
        return (port, port + 1)
    }
}
