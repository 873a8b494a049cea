import MediaCore

/// Restores the decoding order of interleaved NAL units from their decoding order numbers (RFC 6184 §7.2, RFC 7798
/// §6).
struct DecodingOrderBuffer: Sendable {
    struct Entry: Sendable {
        var unit: FragmentedNALUnit
        var rtpTimestamp: UInt32
        /// Whether the unit counts against the interleaving depth; for H.264 only slices do.
        var isCounted: Bool
    }

    private let interleaving: NALUnitInterleaving
    private let limits: DepacketizerLimits
    /// Waiting units in ascending order of their extended decoding order numbers.
    private var held: [(number: Int64, entry: Entry)] = []
    private var countedCount = 0
    private var byteCount = 0
    /// The last number received, extended beyond its 16 bits; `nil` before the first.
    private var lastNumber: Int64?
    /// The greatest extended number received.
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

    /// The next unit in decoding order; `nil` while an earlier one may still arrive and the limits allow waiting for
    /// it.
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
