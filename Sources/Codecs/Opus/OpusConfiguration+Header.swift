extension OpusConfiguration {
    private static let magic = Array("OpusHead".utf8)
    private static let header = "OpusHead"

    /// - Parameter header: an identification header (RFC 7845 §5.1), which FLV and Ogg have; its numbers are
    ///   little-endian.
    package init(parsingHeader header: [UInt8]) throws(CodecError) {
        guard header.starts(with: Self.magic), header.count >= Self.magic.count + 11 else {
            throw CodecError(.invalid, in: Self.header, "does not begin as an Opus header")
        }
        let fields = Array(header.dropFirst(Self.magic.count))
        // The version's upper half tells whether a reader can go on.
        guard fields[0] >> 4 == 0 else {
            throw CodecError(.unsupported, in: Self.header, "has a version other than 1")
        }
        let record =
            [0, fields[1], fields[3], fields[2], fields[7], fields[6], fields[5], fields[4], fields[9], fields[8]]
            + fields[10...]
        try self.init(parsingRecord: record)
    }

    /// The identification header.
    package var identificationHeader: [UInt8] {
        let fields = record
        return Self.magic + [
            1, fields[1], fields[3], fields[2], fields[7], fields[6], fields[5], fields[4], fields[9], fields[8],
        ]
            + fields[10...]
    }

    /// Samples at 48 kHz of a packet (RFC 6716 §3.1); `nil` for one that is cut off.
    ///
    /// - Parameters:
    ///   - first: the first byte, the table of contents.
    ///   - second: the byte that counts frames, if the first says that there is one.
    package static func sampleCount(first: UInt8, second: UInt8?) -> Int? {
        let mode = Int(first >> 3)
        let frame =
            switch mode {
            case 0..<12: [480, 960, 1_920, 2_880][mode & 3]
            case 12..<16: [480, 960][mode & 1]
            default: [120, 240, 480, 960][mode & 3]
            }
        switch first & 3 {
        case 0: return frame
        case 1, 2: return frame * 2
        default: return second.map { frame * Int($0 & 0x3F) }
        }
    }
}
