/// The parameters of an Apple Lossless stream: its ALACSpecificConfig ("magic cookie").
package struct ALACConfiguration: Sendable, Hashable {
    /// The content of the inner `alac` box as received, version and flags included.
    package private(set) var record: [UInt8]
    /// Sampling rate in hertz.
    package private(set) var sampleRate: Int
    package private(set) var channelCount: Int
    /// Samples per channel in a frame; the last frame may have fewer.
    package private(set) var samplesPerFrame: Int

    /// Size limit in bytes. A configuration takes 28 bytes, and 24 more with a channel layout.
    package static let maximumByteCount = 256
    /// Largest number of channels for which the coder defines a layout.
    private static let maximumChannelCount = 8
    static let structure = "ALACSpecificConfig"

    /// - Parameter record: the content of the `alac` box inside the sample entry.
    package init(parsingRecord record: [UInt8]) throws(CodecError) {
        guard record.count <= Self.maximumByteCount else {
            throw CodecError(.invalid, in: Self.structure, "is \(record.count) bytes long")
        }
        self.record = record
        var cursor = ByteCursor(record, structure: Self.structure)
        try cursor.skip(4)
        samplesPerFrame = Int(try cursor.readUInt16()) << 16 | Int(try cursor.readUInt16())
        // Skips compatibleVersion, bitDepth and three tuning parameters.
        try cursor.skip(5)
        channelCount = Int(try cursor.readByte())
        // Skips maxRun, maxFrameBytes and avgBitRate.
        try cursor.skip(10)
        sampleRate = Int(try cursor.readUInt16()) << 16 | Int(try cursor.readUInt16())
        guard (1...Self.maximumChannelCount).contains(channelCount), (1...384_000).contains(sampleRate),
            (1...65_536).contains(samplesPerFrame)
        else {
            throw CodecError(
                .invalid, in: Self.structure,
                "has \(channelCount) channels at \(sampleRate) Hz in frames of \(samplesPerFrame)")
        }
    }

    package var rfc6381: String { "alac" }
}
