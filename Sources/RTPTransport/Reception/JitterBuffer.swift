package import NIOCore

/// Puts one source's packets back in order and counts what is missing.
///
/// Over TCP nothing is reordered, and every packet goes straight through.
package struct JitterBuffer: Sendable {
    package enum Reordering: Hashable, Sendable {
        /// TCP: a gap is a loss at once.
        case passThrough
        /// UDP: a gap is waited for until that many packets are held behind it, or the oldest of them is that old.
        case upTo(packetCount: Int, delay: TimeAmount)

        /// On the paths that publishers use, packets overtake each other by a few places and milliseconds. 128 packets
        /// are half a second of 2.5 Mbit/s; memory is bounded by what they hold, some 190 KB.
        package static let udp = Reordering.upTo(packetCount: 128, delay: .milliseconds(150))
    }

    /// What comes out, in order.
    package enum Output: Hashable, Sendable {
        case packet(RTPPacket)
        /// That many packets will not come.
        case lost(packetCount: Int)
        /// The source started again; numbers before and after have nothing to do with each other.
        case restarted
    }

    private let reordering: Reordering
    /// The next number in order; `nil` before the first packet.
    private var expected: UInt16?
    /// Behind the gap, in order of sequence number.
    private var held: [(packet: RTPPacket, arrival: NIODeadline)] = []
    package private(set) var lateOrDuplicateCount = 0

    /// RFC 3550 A.1's MAX_DROPOUT: a larger step forward is a restarted source, not a loss.
    static let maximumDropout = 3_000
    /// The same backwards (MAX_MISORDER).
    static let maximumMisorder = 100

    package init(reordering: Reordering) { self.reordering = reordering }

    /// Appends to `output` what can be handed on now.
    package mutating func insert(_ packet: RTPPacket, arrival: NIODeadline, into output: inout [Output]) {
        guard let expected else {
            self.expected = packet.sequenceNumber &+ 1
            output.append(.packet(packet))
            return
        }
        let distance = Int(Int16(bitPattern: packet.sequenceNumber &- expected))
        if distance == 0 {
            output.append(.packet(packet))
            self.expected = expected &+ 1
            if !held.isEmpty { releaseContiguous(into: &output) }
        } else if distance < -Self.maximumMisorder || distance > Self.maximumDropout {
            restart(with: packet, into: &output)
        } else if distance < 0 {
            lateOrDuplicateCount += 1
        } else {
            hold(packet, arrival: arrival, into: &output)
        }
        if !held.isEmpty { giveUp(now: arrival, into: &output) }
    }

    /// Hands on what waits for packets that are overdue.
    package mutating func flushOverdue(now: NIODeadline, into output: inout [Output]) {
        if !held.isEmpty { giveUp(now: now, into: &output) }
    }

    private mutating func restart(with packet: RTPPacket, into output: inout [Output]) {
        held.removeAll(keepingCapacity: true)
        expected = packet.sequenceNumber &+ 1
        output.append(.restarted)
        output.append(.packet(packet))
    }

    private mutating func hold(_ packet: RTPPacket, arrival: NIODeadline, into output: inout [Output]) {
        guard case .upTo = reordering else {
            skip(to: packet.sequenceNumber, into: &output)
            output.append(.packet(packet))
            expected = packet.sequenceNumber &+ 1
            return
        }
        // From the back: what arrives behind a gap is nearly always the latest.
        var index = held.count
        while index > 0 {
            let other = Int16(bitPattern: held[index - 1].packet.sequenceNumber &- packet.sequenceNumber)
            if other == 0 {
                lateOrDuplicateCount += 1
                return
            }
            if other < 0 { break }
            index -= 1
        }
        held.insert((packet, arrival), at: index)
    }

    private mutating func giveUp(now: NIODeadline, into output: inout [Output]) {
        guard case .upTo(let packetCount, let delay) = reordering else { return }
        while let first = held.first {
            let oldest = held.reduce(first.arrival) { min($0, $1.arrival) }
            guard held.count > packetCount || now - oldest > delay else { return }
            skip(to: first.packet.sequenceNumber, into: &output)
            releaseContiguous(into: &output)
        }
    }

    private mutating func skip(to sequenceNumber: UInt16, into output: inout [Output]) {
        guard let expected else { return }
        output.append(.lost(packetCount: Int(sequenceNumber &- expected)))
        self.expected = sequenceNumber
    }

    private mutating func releaseContiguous(into output: inout [Output]) {
        var count = 0
        while count < held.count, held[count].packet.sequenceNumber == expected {
            output.append(.packet(held[count].packet))
            expected = held[count].packet.sequenceNumber &+ 1
            count += 1
        }
        held.removeFirst(count)
    }
}
