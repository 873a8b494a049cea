import Codecs
package import MediaCore
package import NIOCore

/// A message from a live worker to its server, which treats it as untrusted input.
package enum LiveWorkerAnswer: Sendable {
    /// Output of the transcoder.
    case output(LibAVLiveTranscoder.Output)
    /// One unit has been processed, whatever the result.
    case consumed

    static let failureType: UInt8 = 1
    /// The largest number of slices in a frame, more than any encoder makes.
    private static let maximumNALUnitCount = 256
    /// The largest AAC frame: 6,144 bits for each of two channels (ISO/IEC 14496-3), with room to spare.
    private static let maximumAudioFrameByteCount = 8 << 10
    private static let maximumReasonByteCount = 1_000
    private static let maximumParameterSetCount = 32
    private static let timescales: ClosedRange<UInt32> = 1...1_000_000
    /// The largest plausible time in seconds: a hundred years.
    private static let maximumTimeSeconds: UInt64 = 3_155_760_000

    /// Appends the encoded message.
    package func write(into buffer: inout ByteBuffer) {
        switch self {
        case .consumed: LiveWorkerMessage.write(0, into: &buffer) { _ in }
        case .output(.failed(let reason)):
            LiveWorkerMessage.write(Self.failureType, into: &buffer) { $0.writeString(String(reason.prefix(300))) }
        case .output(.configuration(let configuration, let timescale)):
            LiveWorkerMessage.write(2, into: &buffer) { buffer in
                buffer.writeInteger(timescale.ticksPerSecond)
                switch configuration {
                case .aac(let aac): buffer.writeBytes(aac.audioSpecificConfig)
                default: buffer.writeSets(configuration.parameterSets)
                }
            }
        case .output(.unit(let unit)):
            LiveWorkerMessage.write(3, into: &buffer) { buffer in
                buffer.writeInteger(unit.decodeTime)
                buffer.writeInteger(unit.presentationTime)
                buffer.writeInteger(UInt8(unit.isRandomAccessPoint ? 1 : 0))
                switch unit.payload {
                case .frame(let payload): buffer.writeImmutableBuffer(payload)
                // Each NAL unit is preceded by its length in four bytes.
                case .nalUnits: unit.payload.write(into: &buffer)
                }
            }
        }
    }

    /// Parses a message; throws ``LiveWorkerMessage/Damage`` if it is invalid.
    ///
    /// - Parameters:
    ///   - type: The type in the header.
    ///   - body: The bytes after the header.
    ///   - isVideo: Whether the worker was asked to transcode video.
    ///   - timescale: The timescale of the units since the last configuration; `nil` before the first one.
    package init(
        type: UInt8, body: ByteBuffer, isVideo: Bool, timescale: Timescale?
    ) throws(LiveWorkerMessage.Damage) {
        switch type {
        case 0: self = .consumed
        case Self.failureType:
            let bytes = body.readableBytesView.prefix(Self.maximumReasonByteCount)
            self = .output(.failed(UntrustedText.escaped(String(decoding: bytes, as: UTF8.self))))
        case 2: self = try Self.configuration(body, isVideo: isVideo)
        case 3:
            guard let timescale else { throw LiveWorkerMessage.Damage(description: "a unit before its configuration") }
            self = try Self.unit(body, isVideo: isVideo, timescale: timescale)
        default: throw LiveWorkerMessage.Damage(description: "an unknown answer")
        }
    }

    private static func configuration(_ body: ByteBuffer, isVideo: Bool) throws(LiveWorkerMessage.Damage) -> Self {
        var body = body
        guard let ticks: UInt32 = body.readInteger(), timescales.contains(ticks),
            let timescale = Timescale(checking: ticks)
        else { throw LiveWorkerMessage.Damage(description: "an implausible timescale") }
        do throws(CodecError) {
            guard isVideo else {
                let aac = try AACConfiguration(parsingAudioSpecificConfig: Array(body.readableBytesView.prefix(64)))
                return .output(.configuration(.aac(aac), timescale))
            }
            let sets = (body.readSets(maximumCount: maximumParameterSetCount) ?? []).map { Array($0.readableBytesView) }
            func ofType(_ type: H264NALUnitType) -> [[UInt8]] {
                sets.filter { $0.first.flatMap(H264NALUnitType.init(headerByte:)) == type }
            }
            let h264 = try H264Configuration(
                sequenceParameterSets: ofType(.sequenceParameterSet), pictureParameterSets: ofType(.pictureParameterSet)
            )
            return .output(.configuration(.h264(h264), timescale))
        } catch {
            throw LiveWorkerMessage.Damage(description: "an invalid configuration")
        }
    }

    private static func unit(
        _ body: ByteBuffer, isVideo: Bool, timescale: Timescale
    ) throws(LiveWorkerMessage.Damage) -> Self {
        var body = body
        guard let decodeTime: Int64 = body.readInteger(), let presentationTime: Int64 = body.readInteger(),
            let flag: UInt8 = body.readInteger(), body.readableBytes > 0, presentationTime >= decodeTime,
            [decodeTime, presentationTime].allSatisfy({
                $0.magnitude / UInt64(timescale.ticksPerSecond) <= maximumTimeSeconds
            })
        else { throw LiveWorkerMessage.Damage(description: "a unit with implausible times") }
        let payload: SamplePayload
        if isVideo {
            guard let units = body.readSets(maximumCount: maximumNALUnitCount), !units.isEmpty else {
                throw LiveWorkerMessage.Damage(description: "a frame of damaged NAL units")
            }
            payload = .nalUnits(units.map(FragmentedNALUnit.init))
        } else {
            guard body.readableBytes <= maximumAudioFrameByteCount else {
                throw LiveWorkerMessage.Damage(description: "an audio frame of \(body.readableBytes) bytes")
            }
            payload = .frame(body)
        }
        return .output(
            .unit(
                AccessUnit(
                    decodeTime: decodeTime, presentationTime: presentationTime, isRandomAccessPoint: flag != 0,
                    payload: payload)))
    }
}
