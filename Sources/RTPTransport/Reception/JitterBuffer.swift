package import NIOCore

/// Restores the order of one source's packets and counts the missing ones.
///
/// TCP does not reorder, so every packet passes straight through.
package struct JitterBuffer: Sendable {
    /// Policy for gaps in the sequence numbers.
    package enum Reordering: Hashable, Sendable {
        /// TCP: a gap is a loss immediately.
        case passThrough
        /// UDP: a gap counts as a loss once `packetCount` packets are held after it, or the oldest of them has waited
        /// for `delay`.
        case upTo(packetCount: Int, delay: TimeAmount)

        /// The default for UDP. On typical paths, packets overtake each other by a few positions and milliseconds.
        /// 128 packets are half a second of 2.5 Mbit/s; memory is bounded by what they hold, about 190 KB.
        package static let udp = Reordering.upTo(packetCount: 128, delay: .milliseconds(150))
    }

    /// Output of the buffer, in order.
    package enum Output: Hashable, Sendable {
        case packet(RTPPacket)
        /// A number of packets that will not arrive.
        case lost(packetCount: Int)
        /// The source has restarted; sequence numbers before and after are unrelated.
        case restarted
    }

    private let reordering: Reordering
    /// The next sequence number in order; `nil` before the first packet.
    private var expected: UInt16?
    /// Packets after the gap, in order of sequence number.
    private var held: [(packet: RTPPacket, arrival: NIODeadline)] = []
    /// Number of packets that were dropped because they were late or duplicates.
    package private(set) var lateOrDuplicateCount = 0

    /// MAX_DROPOUT of RFC 3550 A.1: a larger step forward means that the source has restarted, not a loss.
    static let maximumDropout = 3_000
    /// MAX_MISORDER of RFC 3550 A.1: a larger step back means that the source has restarted.
    static let maximumMisorder = 100

    package init(reordering: Reordering) { self.reordering = reordering }

    /// Adds a packet and appends everything that is now in order to `output`.
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

    /// Gives up overdue packets and appends those that waited for them to `output`.
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
        // Searches from the end, because packets after a gap nearly always arrive in order.
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
