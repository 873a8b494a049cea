import MediaCore

/// The segmentation of a frame: the fields of segmentation_params (AV1 bitstream specification §5.9.14) that tell which
/// segments are coded without loss.
struct AV1Segmentation: Sendable, Hashable {
    /// The difference of each segment's quantizer to that of the frame; `nil` for none. Empty without segmentation.
    private(set) var quantizerDifferences: [Int?]

    static let none = AV1Segmentation(quantizerDifferences: [])

    /// MAX_SEGMENTS (§3).
    private static let count = 8
    /// Segmentation_Feature_Bits and Segmentation_Feature_Signed (§5.9.14). The first feature is the quantizer.
    private static let features: [(bitCount: Int, isSigned: Bool)] = [
        (8, true), (6, true), (6, true), (6, true), (6, true), (3, false), (0, false), (0, false),
    ]

    private init(quantizerDifferences: [Int?]) { self.quantizerDifferences = quantizerDifferences }

    /// Reads the segmentation of a frame.
    ///
    /// - Parameters:
    ///   - reader: reads the frame header.
    ///   - previous: the segmentation of the primary reference; `nil` if there is none.
    init(parsing reader: inout AV1FrameReader, previous: AV1Segmentation?) throws {
        self = .none
        guard try reader.bits.readBit() else { return }
        if let previous {
            if try reader.bits.readBit() { _ = try reader.bits.readBit() }  // update_map, temporal_update
            guard try reader.bits.readBit() else {
                self = previous
                return
            }
        }
        for _ in 0..<Self.count {
            var difference: Int?
            for (index, feature) in Self.features.enumerated() where try reader.bits.readBit() {
                let value =
                    feature.isSigned
                    ? try reader.readSigned(feature.bitCount + 1) : Int(try reader.bits.readBits(feature.bitCount))
                if index == 0 { difference = value }
            }
            quantizerDifferences.append(difference)
        }
    }

    /// The quantizer of each segment (get_qidx, §7.12.2); that of the frame alone without segmentation.
    func quantizers(frame: Int) -> [Int] {
        quantizerDifferences.isEmpty
            ? [frame] : quantizerDifferences.map { min(max(frame + ($0 ?? 0), 0), Int(UInt8.max)) }
    }
}
