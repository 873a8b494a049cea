import MediaCore

/// Puts interleaved NAL units back into decoding order by their decoding order numbers (RFC 6184 §7.2, RFC 7798 §6).
struct DecodingOrderBuffer: Sendable {
    struct Entry: Sendable {
        var unit: FragmentedNALUnit
        var rtpTimestamp: UInt32
        /// Counted against the depth: H.264 counts slices only.
        var isCounted: Bool
    }

    private let interleaving: NALUnitInterleaving
    private let limits: DepacketizerLimits
    /// By extended decoding order number, ascending.
    private var held: [(number: Int64, entry: Entry)] = []
    private var countedCount = 0
    private var byteCount = 0
    /// The last number received, beyond its 16 bits.
    private var lastNumber: Int64?
    /// The greatest number received.
    private var highestNumber: Int64 = 0

    init(_ interleaving: NALUnitInterleaving, limits: DepacketizerLimits) {
        self.interleaving = interleaving
        self.limits = limits
    }

    mutating func insert(_ entry: Entry, decodingOrderNumber: UInt16) {
        let last = lastNumber ?? Int64(decodingOrderNumber)
        let step = Int64(Int16(bitPattern: decodingOrderNumber &- UInt16(truncatingIfNeeded: last)))
        let number = last + step
        lastNumber = number
        highestNumber = held.isEmpty ? number : max(highestNumber, number)
        var index = held.count
        while index > 0, held[index - 1].number > number { index -= 1 }
        held.insert((number, entry), at: index)
        if entry.isCounted { countedCount += 1 }
        byteCount += entry.unit.byteCount
    }

    /// The next unit in decoding order, where no earlier one can come any more, or no more may be held.
    mutating func next() -> Entry? {
        guard let first = held.first else { return nil }
        let isDue =
            countedCount > interleaving.depth
            || interleaving.maximumDifference.map { highestNumber - first.number > Int64($0) } ?? false
            || held.count > limits.maximumInterleavedUnitCount || byteCount > limits.maximumInterleavedByteCount
        guard isDue else { return nil }
        held.removeFirst()
        if first.entry.isCounted { countedCount -= 1 }
        byteCount -= first.entry.unit.byteCount
        return first.entry
    }

    mutating func clear() { self = DecodingOrderBuffer(interleaving, limits: limits) }
}

/// How far a sender takes NAL units out of their decoding order, as its SDP says.
package struct NALUnitInterleaving: Sendable, Hashable {
    /// sprop-interleaving-depth (RFC 6184 §8.1) or sprop-depack-buf-nalus (RFC 7798 §7.1).
    package var depth: Int
    /// sprop-max-don-diff; `nil` where the SDP does not say.
    package var maximumDifference: Int?

    package init(depth: Int, maximumDifference: Int? = nil) {
        self.depth = min(max(0, depth), 32_767)
        self.maximumDifference = maximumDifference.map { min(max(0, $0), 32_767) }
    }
}
