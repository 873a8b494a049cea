/// The parameters of an Opus stream: the content of `dOps` (Encapsulation of Opus in ISO Base Media File Format
/// §4.3.2).
package struct OpusConfiguration: Sendable, Hashable {
    /// Number of channels that decoders put out. A stereo decoder also accepts mono packets, and a mono decoder
    /// stereo packets.
    package private(set) var channelCount: Int
    /// Samples at 48 kHz that the encoder inserted at the start; zero for a stream that is joined while it runs.
    package private(set) var preSkip: Int
    /// Sampling rate of the encoder's input in hertz, for display only: the decoder's clock is always ``clockRate``.
    /// Zero if unknown.
    package private(set) var inputSampleRate: Int
    /// Gain that decoders apply, in units of 1/256 dB.
    package private(set) var outputGain: Int16
    /// Channel mapping; `nil` for mapping family 0, which is mono and stereo.
    package private(set) var channelMapping: ChannelMapping?

    /// Mapping family, stream counts and channel mapping table (RFC 7845 §5.1.1).
    package struct ChannelMapping: Sendable, Hashable {
        package var family: UInt8
        package var streamCount: UInt8
        package var coupledCount: UInt8
        /// One entry per output channel.
        package var table: [UInt8]
    }

    /// Samples per second of the Opus clock, whatever the input's sampling rate was (RFC 6716 §2).
    package static let clockRate = 48_000
    /// 20 ms, the duration that encoders use unless configured otherwise. Each packet states its own duration.
    package static let usualSamplesPerFrame = 960
    static let structure = "OpusSpecificBox"

    /// - Parameters:
    ///   - channelCount: 1 or 2; anything else throws ``CodecError``.
    ///   - preSkip: samples at 48 kHz that a player drops at the start.
    ///   - inputSampleRate: sample rate of the audio before it was encoded, in Hz; informative.
    package init(channelCount: Int, preSkip: Int = 0, inputSampleRate: Int = 48_000) throws(CodecError) {
        guard (1...2).contains(channelCount) else {
            throw CodecError(.unsupported, in: Self.structure, "has \(channelCount) channels without a mapping")
        }
        self.channelCount = channelCount
        self.preSkip = min(max(0, preSkip), 0xFFFF)
        self.inputSampleRate = min(max(0, inputSampleRate), 192_000)
        outputGain = 0
        channelMapping = nil
    }

    /// - Parameter record: the content of a `dOps` box.
    package init(parsingRecord record: [UInt8]) throws(CodecError) {
        var cursor = ByteCursor(record, structure: Self.structure)
        guard try cursor.readByte() == 0 else {
            throw CodecError(.unsupported, in: Self.structure, "has a version other than 0")
        }
        let channels = Int(try cursor.readByte())
        preSkip = Int(try cursor.readUInt16())
        inputSampleRate = Int(try cursor.readUInt16()) << 16 | Int(try cursor.readUInt16())
        outputGain = Int16(bitPattern: try cursor.readUInt16())
        channelCount = channels
        let family = try cursor.readByte()
        guard channels > 0, family != 0 || channels <= 2 else {
            throw CodecError(.invalid, in: Self.structure, "has \(channels) channels in mapping family \(family)")
        }
        guard family != 0 else { return }
        channelMapping = ChannelMapping(
            family: family, streamCount: try cursor.readByte(), coupledCount: try cursor.readByte(),
            table: try cursor.readBytes(channels))
    }

    /// The content of a `dOps` box.
    package var record: [UInt8] {
        var record: [UInt8] = [0, UInt8(truncatingIfNeeded: channelCount)]
        record += [UInt8(truncatingIfNeeded: preSkip >> 8), UInt8(truncatingIfNeeded: preSkip)]
        record += stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: inputSampleRate >> $0) }
        let gain = UInt16(bitPattern: outputGain)
        record += [UInt8(gain >> 8), UInt8(truncatingIfNeeded: gain)]
        guard let channelMapping else { return record + [0] }
        record += [channelMapping.family, channelMapping.streamCount, channelMapping.coupledCount]
        return record + channelMapping.table
    }

    /// CODECS entry. The sample entry is `Opus`, but browsers expect lower case, and Safari accepts both.
    package var rfc6381: String { "opus" }
}
