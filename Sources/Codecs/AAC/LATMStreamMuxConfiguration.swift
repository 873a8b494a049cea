import MediaCore

/// StreamMuxConfig (ISO/IEC 14496-3 §1.7.3) with one program and one layer, the only form that senders use.
package struct LATMStreamMuxConfiguration: Sendable, Hashable {
    package private(set) var audio: AACConfiguration
    /// Number of frames in each AudioMuxElement.
    package private(set) var subframeCount: Int
    /// Size of each frame in bytes if it is fixed (frameLengthType 1); `nil` if each frame is preceded by its length.
    package private(set) var frameByteCount: Int?
    /// Number of bits after the frames.
    package private(set) var otherDataBitCount: Int

    static let structure = "StreamMuxConfig"
    /// Size limit in bytes. Real configurations take 6 to 15 bytes; there is room for an AudioSpecificConfig of 64.
    package static let maximumByteCount = 128

    /// - Parameter bytes: the `config` parameter of an `fmtp` line.
    package init(parsing bytes: [UInt8]) throws(CodecError) {
        guard bytes.count <= Self.maximumByteCount else {
            throw CodecError(.invalid, in: Self.structure, "is \(bytes.count) bytes long")
        }
        var reader = BitReader(bytes)
        try self.init(parsing: &reader)
    }

    /// - Parameter reader: positioned after the structure on return.
    init(parsing reader: inout BitReader) throws(CodecError) {
        do {
            self = try Self.parse(&reader)
        } catch let error as CodecError {
            throw error
        } catch {
            throw CodecError(.truncated, in: Self.structure, "ends too early")
        }
    }

    private init(audio: AACConfiguration, subframeCount: Int) {
        self.audio = audio
        self.subframeCount = subframeCount
        otherDataBitCount = 0
    }

    private static func parse(_ reader: inout BitReader) throws -> LATMStreamMuxConfiguration {
        let hasVersion = try reader.readBit()
        if hasVersion {
            guard try !reader.readBit() else {
                throw CodecError(.unsupported, in: structure, "audioMuxVersionA 1 is reserved")
            }
            _ = try readValue(&reader)  // taraBufferFullness
        }
        guard try reader.readBit() else {
            throw CodecError(.unsupported, in: structure, "has streams with different time framing")
        }
        let subframeCount = Int(try reader.readBits(6)) + 1
        guard try reader.readBits(4) == 0, try reader.readBits(3) == 0 else {
            throw CodecError(.unsupported, in: structure, "has several programs or layers")
        }
        var byteLimit: Int?
        if hasVersion { byteLimit = Int(try readValue(&reader)) }
        let audio = try parseAudioSpecificConfig(&reader, declaredBitCount: byteLimit)
        var configuration = Self(audio: audio, subframeCount: subframeCount)
        var rest = reader
        do {
            try configuration.parseFrameLength(&rest, hasVersion: hasVersion)
        } catch is BitReader.EndOfData {
            // GStreamer's `rtpmp4apay` ends its config after the AudioSpecificConfig; each frame is then preceded by
            // its length.
            return Self(audio: audio, subframeCount: subframeCount)
        }
        reader = rest
        return configuration
    }

    private mutating func parseFrameLength(_ reader: inout BitReader, hasVersion: Bool) throws {
        switch try reader.readBits(3) {
        case 0: _ = try reader.readBits(8)  // latmBufferFullness
        case 1: frameByteCount = Int(try reader.readBits(9)) + 20
        case let type: throw CodecError(.unsupported, in: Self.structure, "frameLengthType \(type) is not AAC")
        }
        if try reader.readBit() {
            otherDataBitCount = try Self.readOtherDataLength(&reader, hasVersion: hasVersion)
        }
        if try reader.readBit() { _ = try reader.readBits(8) }  // crcCheckSum
    }

    private static func readOtherDataLength(_ reader: inout BitReader, hasVersion: Bool) throws -> Int {
        if hasVersion { return Int(try readValue(&reader)) }
        var length = 0
        for _ in 0..<4 {
            let isLast = try !reader.readBit()
            length = length << 8 | Int(try reader.readBits(8))
            if isLast { return length }
        }
        throw CodecError(.invalid, in: structure, "has other data of implausible length")
    }

    /// Reads LatmGetValue().
    private static func readValue(_ reader: inout BitReader) throws -> UInt32 {
        var value: UInt32 = 0
        for _ in 0...(try reader.readBits(2)) { value = value << 8 | (try reader.readBits(8)) }
        return value
    }

    /// Reads the AudioSpecificConfig, which begins at any bit and, in version 0, does not state its length. It is
    /// measured first and then copied to whole bytes.
    private static func parseAudioSpecificConfig(
        _ reader: inout BitReader, declaredBitCount: Int?
    ) throws -> AACConfiguration {
        var measuring = reader
        try skipAudioSpecificConfig(&measuring)
        let measured = measuring.bitPosition - reader.bitPosition
        let bitCount = max(measured, declaredBitCount ?? 0)
        guard bitCount <= AACConfiguration.maximumByteCount * 8 else {
            throw CodecError(.invalid, in: structure, "has an AudioSpecificConfig of \(bitCount) bits")
        }
        var bytes: [UInt8] = []
        var rest = bitCount
        while rest > 0 {
            let count = min(rest, 8)
            bytes.append(UInt8(try reader.readBits(count)) << UInt8(8 - count))
            rest -= count
        }
        return try AACConfiguration(parsingAudioSpecificConfig: bytes)
    }

    /// Skips AudioSpecificConfig with GASpecificConfig (ISO/IEC 14496-3 §1.6.2.1, §4.4.1).
    private static func skipAudioSpecificConfig(_ reader: inout BitReader) throws {
        var objectType = try readObjectType(&reader)
        try skipSampleRate(&reader)
        let channels = try reader.readBits(4)
        if objectType == 5 || objectType == 29 {
            try skipSampleRate(&reader)
            objectType = try readObjectType(&reader)
        }
        guard [1, 2, 3, 4, 17, 23].contains(objectType) else {
            throw CodecError(.unsupported, in: structure, "has audio object type \(objectType), which is not supported")
        }
        guard channels != 0 else {
            throw CodecError(
                .unsupported, in: structure,
                "describes channels with a program configuration element, which is not supported")
        }
        _ = try reader.readBit()  // frameLengthFlag
        if try reader.readBit() { try reader.skipBits(14) }  // coreCoderDelay
        if try reader.readBit() {
            if objectType == 17 || objectType == 23 { try reader.skipBits(3) }
            _ = try reader.readBit()  // extensionFlag3
        }
        try skipBackwardCompatibleExtension(&reader)
    }

    /// Skips the signalling of SBR and PS after a sync word (ISO/IEC 14496-3 §1.6.5.3). It is not allowed in a
    /// StreamMuxConfig of version 0, but GStreamer copies the AudioSpecificConfig of libavcodec's encoder, which
    /// contains it. A frameLengthType, which belongs here, never begins with the sync word.
    private static func skipBackwardCompatibleExtension(_ reader: inout BitReader) throws {
        var rest = reader
        guard (try? rest.readBits(11)) == 0x2B7, try readObjectType(&rest) == 5 else { return }
        if try rest.readBit() {
            try skipSampleRate(&rest)
            var beyond = rest
            if (try? beyond.readBits(11)) == 0x548, (try? beyond.readBit()) != nil { rest = beyond }
        }
        reader = rest
    }

    private static func readObjectType(_ reader: inout BitReader) throws -> UInt32 {
        let type = try reader.readBits(5)
        return type == 31 ? 32 + (try reader.readBits(6)) : type
    }

    private static func skipSampleRate(_ reader: inout BitReader) throws {
        if try reader.readBits(4) == 15 { try reader.skipBits(24) }
    }
}
