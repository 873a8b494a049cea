package import NIOCore

/// Puts packets in the order of their sequence numbers, and gives up waiting for lost ones in time.
package struct PacketOrder: Sendable {
    private struct Held: Sendable {
        var bytes: ByteBuffer
        var arrivedAt: NIODeadline
    }

    /// Packets that are kept behind a gap: 400 ms of 25 Mbit/s in packets of 1316 bytes.
    package static let maximumHeldCount = 1_024

    private let patience: TimeAmount
    /// The number of sequence numbers, after which they begin again.
    private let sequenceCount: Int64
    private var expected: Int64?
    private var held: [Int64: Held] = [:]
    /// Packets that were not waited for any longer.
    package private(set) var skippedCount: Int64 = 0

    /// - Parameters:
    ///   - patience: the time for which a lost packet is waited for.
    ///   - bitCount: bits of sequence numbers: 31 in SRT, 16 in RTP.
    package init(patience: TimeAmount, bitCount: Int) {
        self.patience = patience
        sequenceCount = 1 << Int64(bitCount)
    }

    /// Whether packets are kept because one before them is missing.
    package var hasGap: Bool { !held.isEmpty }

    /// Takes a packet.
    ///
    /// - Parameters:
    ///   - bytes: its bytes.
    ///   - sequence: its number.
    ///   - now: the time.
    ///   - output: gets what is next.
    package mutating func take(_ bytes: ByteBuffer, sequence: Int32, now: NIODeadline, into output: inout ByteBuffer) {
        let sequence = Int64(sequence) & (sequenceCount - 1)
        let next = expected ?? sequence
        let ahead = distance(from: next, to: sequence)
        // One that comes after all, or twice.
        guard ahead >= 0 else { return }
        guard ahead > 0 else {
            output.writeImmutableBuffer(bytes)
            expected = (sequence + 1) % sequenceCount
            flush(into: &output)
            return
        }
        expected = next
        held[sequence] = Held(bytes: bytes, arrivedAt: now)
        if held.count > Self.maximumHeldCount { skip(into: &output) }
    }

    /// Goes on behind packets that have been waited for long enough.
    package mutating func giveUp(now: NIODeadline, into output: inout ByteBuffer) {
        while let first = oldest, now - first.arrivedAt >= patience { skip(into: &output) }
    }

    /// The packet behind the gap.
    private var oldest: Held? { nearest.flatMap { held[$0] } }

    private var nearest: Int64? {
        guard let expected else { return nil }
        return held.keys.min { distance(from: expected, to: $0) < distance(from: expected, to: $1) }
    }

    private mutating func skip(into output: inout ByteBuffer) {
        guard let expected, let nearest else { return }
        skippedCount += distance(from: expected, to: nearest)
        self.expected = nearest
        flush(into: &output)
    }

    private mutating func flush(into output: inout ByteBuffer) {
        while let next = expected, let found = held.removeValue(forKey: next) {
            var bytes = found.bytes
            output.writeBuffer(&bytes)
            expected = (next + 1) % sequenceCount
        }
    }

    /// The distance of two numbers, which is negative for one that lies before.
    private func distance(from start: Int64, to end: Int64) -> Int64 {
        let ahead = (end - start + sequenceCount) % sequenceCount
        return ahead >= sequenceCount / 2 ? ahead - sequenceCount : ahead
    }
}
