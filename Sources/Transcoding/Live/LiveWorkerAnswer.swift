import Codecs
package import MediaCore
package import NIOCore

/// A message from a live worker to its server, which treats it as untrusted input.
package enum LiveWorkerAnswer: Sendable {
    /// Output of the transcoder.
    case output(LibAVLiveTranscoder.Output)
    /// Output of a quality of a ladder.
    case rung(Int, LibAVLiveTranscoder.Output)
    /// The ladder is encoded in this way from now on.
    case adjusted(LiveLadderAdjustment)
    /// The ladder is made without its scoreboard, for this reason.
    case boardMissing(String)
    /// One unit has been processed, whatever the result.
    case consumed

    /// The answers that a worker may give, by what it was asked for.
    package struct Expectation: Sendable {
        var isVideo: Bool
        /// The number of qualities of a ladder; 0 for a track.
        var rungCount: Int

        package init(isVideo: Bool, rungCount: Int) { (self.isVideo, self.rungCount) = (isVideo, rungCount) }
    }

    static let failureType: UInt8 = 1
    private static let rungConfigurationType: UInt8 = 8
    private static let rungUnitType: UInt8 = 9
    private static let boardMissingType: UInt8 = 10
    /// The largest number of slices in a frame, more than any encoder makes.
    private static let maximumNALUnitCount = 256
    /// The largest AAC frame: 6,144 bits for each of two channels (ISO/IEC 14496-3), with room to spare.
    private static let maximumAudioFrameByteCount = 8 << 10
    private static let maximumReasonByteCount = 1_000
    private static let maximumParameterSetCount = 32
    private static let timescales: ClosedRange<UInt32> = 1...1_000_000

    /// Appends the encoded message.
    package func write(into buffer: inout ByteBuffer) {
        switch self {
        case .consumed: LiveWorkerMessage.write(0, into: &buffer) { _ in }
        case .output(.failed(let reason)):
            LiveWorkerMessage.write(Self.failureType, into: &buffer) { $0.writeString(String(reason.prefix(300))) }
        case .output(.configuration(let configuration, let timescale)):
            LiveWorkerMessage.write(2, into: &buffer) { Self.write(configuration, timescale, into: &$0) }
        case .output(.unit(let unit)): LiveWorkerMessage.write(3, into: &buffer) { Self.write(unit, into: &$0) }
        case .rung(let index, .configuration(let configuration, let timescale)):
            LiveWorkerMessage.write(Self.rungConfigurationType, into: &buffer) { buffer in
                buffer.writeInteger(UInt8(clamping: index))
                Self.write(configuration, timescale, into: &buffer)
            }
        case .rung(let index, .unit(let unit)):
            LiveWorkerMessage.write(Self.rungUnitType, into: &buffer) { buffer in
                buffer.writeInteger(UInt8(clamping: index))
                Self.write(unit, into: &buffer)
            }
        case .rung(_, .failed(let reason)): Self.output(.failed(reason)).write(into: &buffer)
        case .boardMissing(let reason):
            LiveWorkerMessage.write(Self.boardMissingType, into: &buffer) {
                $0.writeString(String(reason.prefix(300)))
            }
        case .adjusted(let adjustment):
            LiveWorkerMessage.write(LiveLadderAdjustment.type, into: &buffer) { adjustment.write(into: &$0) }
        }
    }

    private static func write(
        _ configuration: CodecConfiguration, _ timescale: Timescale, into buffer: inout ByteBuffer
    ) {
        buffer.writeInteger(timescale.ticksPerSecond)
        switch configuration {
        case .aac(let aac): buffer.writeBytes(aac.audioSpecificConfig)
        default: buffer.writeSets(configuration.parameterSets)
        }
    }

    private static func write(_ unit: AccessUnit, into buffer: inout ByteBuffer) {
        buffer.writeInteger(unit.decodeTime)
        buffer.writeInteger(unit.presentationTime)
        buffer.writeInteger(UInt8(unit.isRandomAccessPoint ? 1 : 0))
        switch unit.payload {
        case .frame(let payload): buffer.writeImmutableBuffer(payload)
        // Each NAL unit is preceded by its length in four bytes.
        case .nalUnits: unit.payload.write(into: &buffer)
        }
    }

    /// Parses a message; throws ``LiveWorkerMessage/Damage`` if it is invalid.
    ///
    /// - Parameters:
    ///   - type: The type in the header.
    ///   - body: The bytes after the header.
    ///   - expectation: What the worker was asked for.
    ///   - timescale: The timescale of the units since the last configuration; `nil` before the first one.
    package init(
        type: UInt8, body: ByteBuffer, expecting expectation: Expectation, timescale: Timescale?
    ) throws(LiveWorkerMessage.Damage) {
        switch type {
        case 0: self = .consumed
        case Self.failureType: self = .output(.failed(Self.reason(body)))
        case Self.boardMissingType:
            guard expectation.rungCount > 0 else {
                throw LiveWorkerMessage.Damage(description: "news of a board that it does not draw")
            }
            self = .boardMissing(Self.reason(body))
        case 2: self = .output(try Self.configuration(body, isVideo: expectation.isVideo))
        case 3:
            guard let timescale else { throw LiveWorkerMessage.Damage(description: "a unit before its configuration") }
            self = .output(try Self.unit(body, isVideo: expectation.isVideo, timescale: timescale))
        case Self.rungConfigurationType, Self.rungUnitType:
            var body = body
            guard let index: UInt8 = body.readInteger(), Int(index) < expectation.rungCount else {
                throw LiveWorkerMessage.Damage(description: "a quality that nobody asked for")
            }
            guard type == Self.rungUnitType else {
                self = .rung(Int(index), try Self.configuration(body, isVideo: true))
                return
            }
            guard let timescale else { throw LiveWorkerMessage.Damage(description: "a unit before its configuration") }
            self = .rung(Int(index), try Self.unit(body, isVideo: true, timescale: timescale))
        case LiveLadderAdjustment.type:
            guard expectation.rungCount > 0, let adjustment = LiveLadderAdjustment(body: body) else {
                throw LiveWorkerMessage.Damage(description: "an implausible adjustment")
            }
            self = .adjusted(adjustment)
        default: throw LiveWorkerMessage.Damage(description: "an unknown answer")
        }
    }

    private static func reason(_ body: ByteBuffer) -> String {
        let bytes = body.readableBytesView.prefix(maximumReasonByteCount)
        return UntrustedText.escaped(String(decoding: bytes, as: UTF8.self))
    }

    private static func configuration(
        _ body: ByteBuffer, isVideo: Bool
    ) throws(LiveWorkerMessage.Damage) -> LibAVLiveTranscoder.Output {
        var body = body
        guard let ticks: UInt32 = body.readInteger(), timescales.contains(ticks),
            let timescale = Timescale(checking: ticks)
        else { throw LiveWorkerMessage.Damage(description: "an implausible timescale") }
        do throws(CodecError) {
            guard isVideo else {
                let aac = try AACConfiguration(parsingAudioSpecificConfig: Array(body.readableBytesView.prefix(64)))
                return .configuration(.aac(aac), timescale)
            }
            let sets = (body.readSets(maximumCount: maximumParameterSetCount) ?? []).map { Array($0.readableBytesView) }
            func ofType(_ type: H264NALUnitType) -> [[UInt8]] {
                sets.filter { $0.first.flatMap(H264NALUnitType.init(headerByte:)) == type }
            }
            let h264 = try H264Configuration(
                sequenceParameterSets: ofType(.sequenceParameterSet), pictureParameterSets: ofType(.pictureParameterSet)
            )
            return .configuration(.h264(h264), timescale)
        } catch {
            throw LiveWorkerMessage.Damage(description: "an invalid configuration")
        }
    }

    private static func unit(
        _ body: ByteBuffer, isVideo: Bool, timescale: Timescale
    ) throws(LiveWorkerMessage.Damage) -> LibAVLiveTranscoder.Output {
        var body = body
        guard let decodeTime: Int64 = body.readInteger(), let presentationTime: Int64 = body.readInteger(),
            let flag: UInt8 = body.readInteger(), body.readableBytes > 0, presentationTime >= decodeTime,
            [decodeTime, presentationTime].allSatisfy({
                $0.magnitude / UInt64(timescale.ticksPerSecond) <= AccessUnit.maximumTimeSeconds
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
        return .unit(
            AccessUnit(
                decodeTime: decodeTime, presentationTime: presentationTime, isRandomAccessPoint: flag != 0,
                payload: payload))
    }
}
