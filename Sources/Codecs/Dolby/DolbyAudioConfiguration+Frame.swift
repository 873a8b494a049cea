import MediaCore

extension DolbyAudioConfiguration {
    /// The word with which a frame begins.
    private static let syncWord: UInt32 = 0x0B77
    private static let syncFrame = "Dolby frame"

    /// Reads the parameters from a frame, for streams that come without a box: its first independent substream (ETSI
    /// TS 102 366 §4.3, annex E).
    ///
    /// - Parameters:
    ///   - frame: the beginning of a frame.
    ///   - coding: its format.
    package init(frame: [UInt8], coding: Coding) throws(CodecError) {
        var reader = BitReader(frame)
        let record: [UInt8]
        let hasSyncWord: Bool
        do throws(BitReader.EndOfData) {
            hasSyncWord = try reader.readBits(16) == Self.syncWord
            record = coding == .ac3 ? try Self.ac3Record(&reader) : try Self.enhancedRecord(&reader)
        } catch {
            throw CodecError(.truncated, in: Self.syncFrame, "ends too early")
        }
        guard hasSyncWord else { throw CodecError(.invalid, in: Self.syncFrame, "does not begin with the sync word") }
        try self.init(parsingRecord: record, coding: coding)
    }

    private static func ac3Record(_ reader: inout BitReader) throws(BitReader.EndOfData) -> [UInt8] {
        try reader.skipBits(16)
        let (rate, size) = (try reader.readBits(2), try reader.readBits(6))
        let (stream, mode) = (try reader.readBits(5), try reader.readBits(3))
        let channels = try reader.readBits(3)
        // Levels for mixing down come before the flag of the low-frequency channel.
        if channels & 1 != 0, channels != 1 { try reader.skipBits(2) }
        if channels & 4 != 0 { try reader.skipBits(2) }
        if channels == 2 { try reader.skipBits(2) }
        let lowFrequency: UInt32 = try reader.readBit() ? 1 : 0
        let bitRate = size >> 1
        let fields = rate << 22 | stream << 17 | mode << 14 | channels << 11 | lowFrequency << 10 | bitRate << 5
        return [UInt8(fields >> 16 & 0xFF), UInt8(fields >> 8 & 0xFF), UInt8(fields & 0xFF)]
    }

    private static func enhancedRecord(_ reader: inout BitReader) throws(BitReader.EndOfData) -> [UInt8] {
        try reader.skipBits(5)
        let wordCount = try reader.readBits(11) + 1
        let (rate, blocks) = (try reader.readBits(2), try reader.readBits(2))
        let channels = try reader.readBits(3)
        let lowFrequency: UInt32 = try reader.readBit() ? 1 : 0
        let stream = try reader.readBits(5)
        // Frames of six blocks last 1,536 samples; 1,000 of them at 48 kHz are 32 s.
        let blockCount: UInt32 = blocks == 3 ? 6 : blocks + 1
        let kilobits = min(wordCount * 16 * 48_000 / (256 * blockCount) / 1_000, 0x1FFF)
        let head = kilobits << 3
        let fields = rate << 22 | stream << 17 | channels << 9 | lowFrequency << 8
        return [
            UInt8(head >> 8 & 0xFF), UInt8(head & 0xFF), UInt8(fields >> 16 & 0xFF), UInt8(fields >> 8 & 0xFF),
            UInt8(fields & 0xFF),
        ]
    }
}
