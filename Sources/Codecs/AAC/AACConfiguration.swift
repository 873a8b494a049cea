import MediaCore

/// The parameters of an AAC stream: its AudioSpecificConfig (ISO/IEC 14496-3 §1.6.2.1).
package struct AACConfiguration: Sendable, Hashable {
    /// The AudioSpecificConfig as received; `esds` stores it unchanged.
    package private(set) var audioSpecificConfig: [UInt8]
    /// Audio object type (ISO/IEC 14496-3 table 1.17): 2 is AAC-LC, 5 is SBR (HE-AAC), 29 is PS (HE-AAC v2).
    package private(set) var objectType: UInt8
    /// Sampling rate of the core coder in hertz: the clock on which frames are counted.
    package private(set) var sampleRate: Int
    /// Number of channels; zero if the stream itself describes them.
    package private(set) var channelCount: Int
    /// Samples per frame of the core coder: 1024, or 960 for broadcast; half of that for the low-delay coders.
    package private(set) var samplesPerFrame: Int

    /// Size limit in bytes. Real configurations take 2 to 7 bytes, or a few dozen with a program configuration
    /// element.
    package static let maximumByteCount = 64
    static let structure = "AudioSpecificConfig"

    private static let sampleRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    /// Parses an AudioSpecificConfig as `esds` and SDP carry it.
    package init(parsingAudioSpecificConfig bytes: [UInt8]) throws(CodecError) {
        guard bytes.count <= Self.maximumByteCount else {
            throw CodecError(.invalid, in: Self.structure, "is \(bytes.count) bytes long")
        }
        do {
            var reader = BitReader(bytes)
            var objectType = try Self.readObjectType(&reader)
            let sampleRate = try Self.readSampleRate(&reader)
            let channels = try Self.channelCount(forConfiguration: try reader.readBits(4))
            let signalled = objectType
            if objectType == 5 || objectType == 29 {
                _ = try Self.readSampleRate(&reader)
                objectType = try Self.readObjectType(&reader)
            }
            guard (1...4).contains(objectType) || [17, 23, 39, 42].contains(objectType) else {
                throw CodecError(.unsupported, in: Self.structure, "audio object type \(objectType) is not AAC")
            }
            // The first bit of GASpecificConfig (§4.4.1) and of ELDSpecificConfig (§4.6.20) is frameLengthFlag.
            let hasShortFrames = objectType == 42 ? false : try reader.readBit()
            let isLowDelay = objectType == 23 || objectType == 39
            audioSpecificConfig = bytes
            self.objectType =
                signalled == 2 && channels > 0 ? Self.extensionObjectType(behind: reader) ?? signalled : signalled
            self.sampleRate = sampleRate
            channelCount = channels
            samplesPerFrame = (hasShortFrames ? 960 : 1_024) / (isLowDelay ? 2 : 1)
        } catch let error as CodecError {
            throw error
        } catch {
            throw CodecError(.truncated, in: Self.structure, "ends too early")
        }
    }

    /// Creates an AAC-LC configuration for a stream that comes without one. Throws if the rate or the channel count
    /// cannot be expressed.
    package init(sampleRate: Int, channelCount: Int) throws(CodecError) {
        // Table 1.19: one to six channels use their number as the configuration; eight channels use 7.
        let channels = channelCount == 8 ? 7 : channelCount
        guard let index = Self.sampleRates.firstIndex(of: sampleRate), [1, 2, 3, 4, 5, 6, 8].contains(channelCount)
        else {
            throw CodecError(
                .unsupported, in: Self.structure, "does not support \(sampleRate) Hz with \(channelCount) channels")
        }
        let bits = 2 << 11 | index << 7 | channels << 3
        try self.init(parsingAudioSpecificConfig: [
            UInt8(truncatingIfNeeded: bits >> 8), UInt8(truncatingIfNeeded: bits),
        ])
    }

    /// CODECS entry (RFC 6381 §3.3): object type indication 0x40, then the audio object type.
    package var rfc6381: String { "mp4a.40.\(objectType)" }

    /// Looks for HE-AAC that is signalled so that old decoders take it for AAC-LC: a sync word and the extension
    /// follow the fields that those decoders read (ISO/IEC 14496-3 §1.6.5, table 1.15).
    ///
    /// - Parameter reader: positioned after frameLengthFlag of a GASpecificConfig without program configuration.
    /// - Returns: 5 or 29; `nil` if no extension is signalled.
    private static func extensionObjectType(behind reader: BitReader) -> UInt8? {
        var reader = reader
        do {
            // Skips dependsOnCoreCoder with coreCoderDelay, and extensionFlag, which is 0 for AAC-LC.
            if try reader.readBit() { try reader.skipBits(14) }
            try reader.skipBits(1)
            guard try reader.readBits(11) == 0x2B7, try readObjectType(&reader) == 5, try reader.readBit() else {
                return nil
            }
            _ = try readSampleRate(&reader)
        } catch {
            return nil
        }
        let hasParametricStereo = (try? reader.readBits(11)) == 0x548 && (try? reader.readBit()) == true
        return hasParametricStereo ? 29 : 5
    }

    private static func readObjectType(_ reader: inout BitReader) throws -> UInt8 {
        let type = try reader.readBits(5)
        return type == 31 ? UInt8(32 + (try reader.readBits(6))) : UInt8(type)
    }

    private static func readSampleRate(_ reader: inout BitReader) throws -> Int {
        let index = Int(try reader.readBits(4))
        if index == 15 {
            let rate = Int(try reader.readBits(24))
            guard (1_000...192_000).contains(rate) else {
                throw CodecError(.invalid, in: structure, "has a sampling rate of \(rate) Hz")
            }
            return rate
        }
        guard sampleRates.indices.contains(index) else {
            throw CodecError(.invalid, in: structure, "sampling frequency index \(index) is reserved")
        }
        return sampleRates[index]
    }

    /// Number of channels of a channel configuration (ISO/IEC 14496-3 table 1.19); 0 if the stream describes them.
    private static func channelCount(forConfiguration value: UInt32) throws -> Int {
        switch value {
        case 0...6: Int(value)
        case 7, 12, 14: 8
        case 11: 7
        default: throw CodecError(.invalid, in: structure, "channel configuration \(value) is reserved")
        }
    }
}
