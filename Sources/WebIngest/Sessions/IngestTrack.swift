import ChannelPublishing
import Codecs
import MediaCore
import NIOCore

/// One track of a browser: makes access units of its frames.
struct IngestTrack: Sendable {
    private static let maximumNALUnitCount = 512
    private static let opusSampleRate = 48_000
    /// Times that can be, in microseconds: 100 years.
    private static let maximumTime: Int64 = 3_155_760_000_000_000

    let hello: IngestHello.HelloTrack
    private(set) var configuration: CodecConfiguration?
    private var clock: SampleClock?

    init(_ hello: IngestHello.HelloTrack) throws(PushRefusal) {
        self.hello = hello
        guard hello.codec == .opus else { return }
        do {
            configuration = .opus(try OpusConfiguration(channelCount: hello.channelCount ?? 1))
        } catch {
            throw PushRefusal("Opus cannot be used: \(error)")
        }
    }

    var mediaType: MediaType { hello.codec.isVideo ? .video : .audio }

    private var timescale: Timescale {
        switch hello.codec {
        case .h264, .hevc, .vp8, .vp9: return .video90kHz
        case .opus: return Timescale(UInt32(Self.opusSampleRate))
        case .aac:
            let rate = configuration?.audioSampleRate ?? hello.sampleRate ?? Self.opusSampleRate
            return Timescale(checking: UInt32(clamping: rate)) ?? Timescale(UInt32(Self.opusSampleRate))
        }
    }

    private var foreignCodec: ForeignCodec? {
        switch hello.codec {
        case .vp8: .vp8
        case .vp9: .vp9
        case .h264, .hevc, .aac, .opus: nil
        }
    }

    /// The parameters as far as they are known.
    var pushed: PushedTrack {
        PushedTrack(timescale: timescale, configuration: configuration, foreignCodec: foreignCodec)
    }

    /// Takes the parameters of the codec, as WebCodecs describes them.
    ///
    /// - Throws: `CodecError`
    mutating func configure(_ description: ByteBuffer) throws(CodecError) {
        let bytes = Array(description.readableBytesView)
        let found: CodecConfiguration? =
            switch hello.codec {
            case .h264: .h264(try H264Configuration(parsingRecord: bytes))
            case .hevc: .hevc(try HEVCConfiguration(parsingRecord: bytes))
            case .aac: .aac(try AACConfiguration(parsingAudioSpecificConfig: bytes))
            case .vp8, .vp9, .opus: nil
            }
        guard let found else { return }
        if found.audioSampleRate != configuration?.audioSampleRate { clock = nil }
        configuration = found
    }

    /// Makes an access unit of a frame.
    ///
    /// - Returns: `nil` while the parameters are not known, and for an empty frame.
    /// - Throws: `CodecError` for a damaged frame.
    mutating func unit(_ frame: IngestFrame) throws(CodecError) -> AccessUnit? {
        guard frame.content.readableBytes > 0 else { return nil }
        var (isRandomAccessPoint, refersBack) = (frame.isKeyFrame || mediaType == .audio, false)
        let payload: SamplePayload
        switch hello.codec {
        case .h264, .hevc:
            let picture = try picture(frame.content)
            if let found = try picture.configuration(beside: configuration) { configuration = found }
            guard !picture.units.isEmpty else { return nil }
            isRandomAccessPoint = picture.isRandomAccessPoint || frame.isKeyFrame
            refersBack = frame.isKeyFrame && !picture.isRandomAccessPoint
            payload = .nalUnits(picture.units)
        case .vp8, .vp9, .aac, .opus: payload = .frame(frame.content)
        }
        guard pushed.isReady else { return nil }
        var clock = self.clock ?? SampleClock(timescale: timescale, frameTicks: nil)
        clock.frameTicks = frameTicks(frame)
        let told = MediaTime(value: min(max(0, frame.time), Self.maximumTime), timescale: .microseconds)
        let time = clock.time(told: told.converted(to: timescale).value)
        self.clock = clock
        var unit = AccessUnit(
            decodeTime: time, presentationTime: time, isRandomAccessPoint: isRandomAccessPoint, payload: payload)
        unit.refersBack = refersBack
        return unit
    }

    private func frameTicks(_ frame: IngestFrame) -> Int64? {
        switch hello.codec {
        case .h264, .hevc, .vp8, .vp9: return nil
        case .aac: return configuration?.audioSamplesPerFrame.map { Int64($0) }
        case .opus:
            let first = frame.content.getInteger(at: frame.content.readerIndex, as: UInt8.self) ?? 0
            let second = frame.content.getInteger(at: frame.content.readerIndex + 1, as: UInt8.self)
            return OpusConfiguration.sampleCount(first: first, second: second).flatMap { $0 > 0 ? Int64($0) : nil }
        }
    }

    /// Takes a frame of NAL units behind their lengths apart.
    private func picture(_ frame: ByteBuffer) throws(CodecError) -> NALUnitPicture {
        var (frame, picture) = (frame, NALUnitPicture(isHEVC: hello.codec == .hevc))
        while frame.readableBytes > 0 {
            guard let length = frame.readInteger(as: UInt32.self), let unit = frame.readSlice(length: Int(length)),
                picture.units.count < Self.maximumNALUnitCount
            else { throw CodecError(.truncated, in: "frame", "a NAL unit is longer than its frame") }
            picture.append(unit)
        }
        return picture
    }
}
