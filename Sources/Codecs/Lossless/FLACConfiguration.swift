import MediaCore

/// A FLAC stream's parameters: its STREAMINFO block (RFC 9639 §8.2), as `dfLa` holds it (Encapsulation of FLAC in ISO
/// Base Media File Format §3.3.2).
package struct FLACConfiguration: Sendable, Hashable {
    /// STREAMINFO without its header, as it came. Other metadata blocks are left out: pictures and tags say nothing to
    /// a decoder.
    package private(set) var streamInformation: [UInt8]
    package private(set) var sampleRate: Int
    package private(set) var channelCount: Int
    /// Of all but the last frame, where all are alike; otherwise the longest.
    package private(set) var samplesPerFrame: Int

    private static let streamInformationByteCount = 34
    static let structure = "FLACSpecificBox"

    /// - Parameter record: the content of a `dfLa` box, version and flags included.
    package init(parsingRecord record: [UInt8]) throws(CodecError) {
        var cursor = ByteCursor(record, structure: Self.structure)
        guard try cursor.readByte() == 0 else {
            throw CodecError(.unsupported, in: Self.structure, "a version other than 0")
        }
        try cursor.skip(3)
        // The first block is STREAMINFO; the highest bit tells the last one.
        guard try cursor.readByte() & 0x7F == 0 else {
            throw CodecError(.invalid, in: Self.structure, "does not start with STREAMINFO")
        }
        let byteCount = Int(try cursor.readByte()) << 16 | Int(try cursor.readUInt16())
        guard byteCount == Self.streamInformationByteCount else {
            throw CodecError(.invalid, in: Self.structure, "a STREAMINFO of \(byteCount) bytes")
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
            throw CodecError(.invalid, in: Self.structure, "a sampling rate or block size of zero")
        }
    }

    /// The content of a `dfLa` box.
    package var record: [UInt8] {
        [0, 0, 0, 0, 0x80, 0, 0, UInt8(Self.streamInformationByteCount)] + streamInformation
    }

    /// The sample entry's own name: browsers and Apple's players take it so.
    package var rfc6381: String { "fLaC" }
}
