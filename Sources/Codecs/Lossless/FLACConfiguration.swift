import MediaCore

/// The parameters of a FLAC stream: its STREAMINFO block (RFC 9639 §8.2), which `dfLa` holds (Encapsulation of FLAC
/// in ISO Base Media File Format §3.3.2).
package struct FLACConfiguration: Sendable, Hashable {
    /// The STREAMINFO block as received, without its header. Other metadata blocks are omitted, because decoders do
    /// not need tags and cover art.
    package private(set) var streamInformation: [UInt8]
    /// Sampling rate in hertz.
    package private(set) var sampleRate: Int
    package private(set) var channelCount: Int
    /// Samples in each frame but the last if all frames are alike; otherwise in the longest frame.
    package private(set) var samplesPerFrame: Int

    private static let streamInformationByteCount = 34
    static let structure = "FLACSpecificBox"

    /// - Parameter record: the content of a `dfLa` box, version and flags included.
    package init(parsingRecord record: [UInt8]) throws(CodecError) {
        var cursor = ByteCursor(record, structure: Self.structure)
        guard try cursor.readByte() == 0 else {
            throw CodecError(.unsupported, in: Self.structure, "has a version other than 0")
        }
        try cursor.skip(3)
        // The first block must be STREAMINFO; the highest bit only marks the last block.
        guard try cursor.readByte() & 0x7F == 0 else {
            throw CodecError(.invalid, in: Self.structure, "does not start with STREAMINFO")
        }
        let byteCount = Int(try cursor.readByte()) << 16 | Int(try cursor.readUInt16())
        guard byteCount == Self.streamInformationByteCount else {
            throw CodecError(.invalid, in: Self.structure, "has a STREAMINFO of \(byteCount) bytes")
        }
        streamInformation = try cursor.readBytes(byteCount)
        var fields = ByteCursor(streamInformation, structure: Self.structure)
        try fields.skip(2)
        samplesPerFrame = Int(try fields.readUInt16())
        try fields.skip(6)
        let word = Int(try fields.readUInt16()) << 16 | Int(try fields.readUInt16())
        sampleRate = word >> 12
        channelCount = (word >> 9 & 7) + 1
        guard sampleRate > 0, samplesPerFrame > 0 else {
            throw CodecError(.invalid, in: Self.structure, "has a sampling rate or block size of zero")
        }
    }

    /// The content of a `dfLa` box.
    package var record: [UInt8] {
        [0, 0, 0, 0, 0x80, 0, 0, UInt8(Self.streamInformationByteCount)] + streamInformation
    }

    /// CODECS entry, which is the sample entry's name. Browsers and Apple's players use this spelling.
    package var rfc6381: String { "fLaC" }
}
