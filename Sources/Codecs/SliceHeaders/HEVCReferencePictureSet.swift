import MediaCore

/// A short-term reference picture set (ITU-T H.265 §7.4.8): the distances of the pictures, and whether the current
/// picture may refer to them. A set can be described by its difference from another one.
struct HEVCReferencePictureSet: Sendable {
    private struct Entry {
        var distance: Int
        var isUsed: Bool
    }

    /// Pictures before the current one, the nearest first.
    private var negative: [Entry] = []
    /// Pictures after the current one, the nearest first.
    private var positive: [Entry] = []

    /// Number of sets in a sequence parameter set (§7.4.3.2).
    static let maximumCount = 64
    /// Number of pictures in a set, which the decoded picture buffer bounds (§A.4.2).
    private static let maximumPictureCount = 16
    /// Limit of a distance (§7.4.8).
    private static let maximumDistance = 1 << 15

    /// The number of pictures to which the current one may refer.
    var usedCount: Int { (negative + positive).count(where: \.isUsed) }

    /// Reads a set.
    ///
    /// - Parameters:
    ///   - reader: positioned at the set.
    ///   - known: the sets of the sequence parameter set that precede it.
    ///   - isInSlice: whether the set is in a slice header, and therefore may differ from any of `known`.
    init(parsing reader: inout NALUnitReader, after known: [HEVCReferencePictureSet], isInSlice: Bool) throws {
        if !known.isEmpty, try reader.bits.readBit() {
            let back = isInSlice ? try reader.readCount(known.count - 1, "delta_idx_minus1") + 1 : 1
            try readDifference(&reader, from: known[known.count - back])
            return
        }
        let negativeCount = try reader.readCount(Self.maximumPictureCount, "num_negative_pics")
        let positiveCount = try reader.readCount(Self.maximumPictureCount, "num_positive_pics")
        negative = try Self.entries(negativeCount, sign: -1, &reader)
        positive = try Self.entries(positiveCount, sign: 1, &reader)
    }

    private static func entries(_ count: Int, sign: Int, _ reader: inout NALUnitReader) throws -> [Entry] {
        var distance = 0
        return try (0..<count).map { _ in
            distance += sign * (try reader.readCount(maximumDistance, "delta_poc_minus1") + 1)
            return Entry(distance: distance, isUsed: try reader.bits.readBit())
        }
    }

    /// The derivation of §7.4.8, equations 7-61 and 7-62.
    private mutating func readDifference(_ reader: inout NALUnitReader, from reference: HEVCReferencePictureSet) throws
    {
        let isNegative = try reader.bits.readBit()
        let magnitude = try reader.readCount(Self.maximumDistance, "abs_delta_rps_minus1") + 1
        let difference = isNegative ? -magnitude : magnitude
        // The pictures of the reference in the order of the flags, and the picture that it belongs to.
        var entries: [Entry?] = []
        for distance in (reference.negative + reference.positive).map(\.distance) + [0] {
            let isUsed = try reader.bits.readBit()
            let isKept = isUsed ? true : try reader.bits.readBit()
            entries.append(isKept ? Entry(distance: distance + difference, isUsed: isUsed) : nil)
        }
        let kept = entries.compactMap(\.self)
        negative = kept.filter { $0.distance < 0 }.sorted { $0.distance > $1.distance }
        positive = kept.filter { $0.distance > 0 }.sorted { $0.distance < $1.distance }
        guard max(negative.count, positive.count) <= Self.maximumPictureCount else {
            throw CodecError(
                .invalid, in: SliceDataFinder.structure,
                "a reference picture set has more than \(Self.maximumPictureCount) pictures")
        }
    }
}
