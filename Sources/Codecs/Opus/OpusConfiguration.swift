/// An Opus stream's parameters: what `dOps` holds (Encapsulation of Opus in ISO Base Media File Format §4.3.2).
package struct OpusConfiguration: Sendable, Hashable {
    /// That decoders put out. A stereo decoder takes mono packets too, and the other way round.
    package private(set) var channelCount: Int
    /// Samples at 48,000 a second that the encoder put in front; zero for a stream that is joined while it runs.
    package private(set) var preSkip: Int
    /// Of what was encoded, for people; the decoder's clock is always ``clockRate``. Zero where unknown.
    package private(set) var inputSampleRate: Int
    /// Of what decoders apply, in 1/256 dB.
    package private(set) var outputGain: Int16
    /// `nil` for family 0, mono and stereo.
    package private(set) var channelMapping: ChannelMapping?

    /// Family, stream counts and the table of RFC 7845 §5.1.1.
    package struct ChannelMapping: Sendable, Hashable {
        package var family: UInt8
        package var streamCount: UInt8
        package var coupledCount: UInt8
        /// One for each channel.
        package var table: [UInt8]
    }

    /// RFC 6716 §2: whatever the input was, Opus counts 48,000 samples a second.
    package static let clockRate = 48_000
    /// 20 ms, what encoders send unless told otherwise; a packet says itself how much it holds.
    package static let usualSamplesPerFrame = 960
    static let structure = "OpusSpecificBox"

    /// - Parameter channelCount: 1 or 2.
    package init(channelCount: Int, preSkip: Int = 0, inputSampleRate: Int = 48_000) throws(CodecError) {
        guard (1...2).contains(channelCount) else {
            throw CodecError(.unsupported, in: Self.structure, "\(channelCount) channels without a mapping")
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
            throw CodecError(.unsupported, in: Self.structure, "a version other than 0")
        }
        let channels = Int(try cursor.readByte())
        preSkip = Int(try cursor.readUInt16())
        inputSampleRate = Int(try cursor.readUInt16()) << 16 | Int(try cursor.readUInt16())
        outputGain = Int16(bitPattern: try cursor.readUInt16())
        channelCount = channels
        let family = try cursor.readByte()
        guard channels > 0, family != 0 || channels <= 2 else {
            throw CodecError(.invalid, in: Self.structure, "\(channels) channels in mapping family \(family)")
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

    /// The sample entry is `Opus`, but browsers ask for it in lower case, and Safari takes both.
    package var rfc6381: String { "opus" }
}
