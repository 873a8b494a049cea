import Codecs
import ISOBMFF
import MediaCore
import NIOCore
import Packaging
import TestSupport

/// A publisher that sends synthetic video and audio into a live packager.
struct LiveFixture {
    var packager: LivePackager
    private(set) var events: [LivePackagingEvent] = []
    let videoTimescale = Timescale.video90kHz
    let audioTimescale = Timescale(48_000)
    static let startOfTime = WallClockTime(millisecondsSince1970: 1_700_000_000_000)

    enum Tracks {
        case both
        case video
        case audio
    }

    init(
        _ tracks: Tracks = .both, configuration: LivePackagingConfiguration = LivePackagingConfiguration(),
        firstMediaSequence: Int = 100, isDiscontinuous: Bool = false, frameRate: Double? = nil,
        audio: CodecConfiguration? = nil
    ) throws {
        let video = LivePackagerTrack(
            track: Track(id: 1, mediaType: .video, timescale: .video90kHz), configuration: try Self.video(0))
        let audio = LivePackagerTrack(
            track: Track(id: 2, mediaType: .audio, timescale: Timescale(48_000)),
            configuration: try audio ?? .aac(AACConfiguration(sampleRate: 48_000, channelCount: 2)))
        let list =
            switch tracks {
            case .both: [video, audio]
            case .video: [video]
            case .audio: [audio]
            }
        packager = LivePackager(
            configuration: configuration, tracks: list, epoch: "e1", firstMediaSequence: firstMediaSequence,
            isDiscontinuous: isDiscontinuous, allocator: ByteBufferAllocator())
    }

    /// x264's parameter sets, as in CodecsTests.
    static func video(_ variant: Int) throws -> CodecConfiguration {
        let records = [
            "0142c00cffe100186742c00cd90141fb0110000003001000000301e0f142a48001000568cb83cb20",
            "014d401effe10018674d401eeca05017fcb870800000030080000018078b16cb01000568ebe3cb20",
        ]
        return .h264(try H264Configuration(parsingRecord: bytes(hexadecimal: records[variant])))
    }

    /// Sends a unit.
    ///
    /// - Returns: The events of the packager for this unit.
    @discardableResult
    mutating func frame(
        at decodeTime: Int64, isKey: Bool, compositionOffset: Int64 = 0, byteCount: Int = 100
    ) -> [LivePackagingEvent] {
        let nalUnit = FragmentedNALUnit(
            restoredHeader: .oneByte(isKey ? 0x65 : 0x41), fragments: [ByteBuffer(repeating: 9, count: byteCount)])
        let unit = AccessUnit(
            decodeTime: decodeTime, presentationTime: decodeTime + compositionOffset, isRandomAccessPoint: isKey,
            payload: .nalUnits([nalUnit]))
        let new = packager.append(unit, to: .video, now: Self.startOfTime + .milliseconds(decodeTime / 90))
        events += new
        return new
    }

    @discardableResult
    mutating func audio(at decodeTime: Int64) -> [LivePackagingEvent] {
        let unit = AccessUnit(
            decodeTime: decodeTime, presentationTime: decodeTime, isRandomAccessPoint: true,
            payload: .frame(ByteBuffer(repeating: 3, count: 20)))
        let new = packager.append(unit, to: .audio, now: Self.startOfTime + .milliseconds(decodeTime / 48))
        events += new
        return new
    }

    /// Audio frames whose time is before `seconds`, from `next` on.
    mutating func audioFrames(from next: inout Int64, until seconds: Double) {
        while Double(next) < seconds * 48_000 {
            audio(at: next)
            next += 1_024
        }
    }

    /// Frames at a steady rate with audio beside them.
    mutating func send(seconds: Double, frameRate: Double, keyFrameInterval: Int, withAudio: Bool = true) {
        var nextAudio: Int64 = 0
        for index in 0..<Int(seconds * frameRate) {
            let time = Int64((Double(index) * 90_000 / frameRate).rounded())
            if withAudio { audioFrames(from: &nextAudio, until: Double(time) / 90_000) }
            frame(at: time, isKey: index % keyFrameInterval == 0)
        }
    }

    mutating func finish() { events += packager.finish() }

    func parts(_ rendition: RenditionID) -> [PartialSegment] { events.parts(rendition) }
    func segments(_ rendition: RenditionID) -> [LiveSegment] { events.segments(rendition) }
}

extension [LivePackagingEvent] {
    func parts(_ rendition: RenditionID) -> [PartialSegment] {
        compactMap { if case .part(rendition, let part, _) = $0 { part } else { nil } }
    }

    func segments(_ rendition: RenditionID) -> [LiveSegment] {
        compactMap { if case .segment(rendition, let segment) = $0 { segment } else { nil } }
    }

    var hasLateKeyFrame: Bool { contains { if case .keyFramesTooFarApart = $0 { true } else { false } } }
}

extension LiveSegment {
    /// The segment behind its section, read by our own reader.
    func read(behind section: ByteBuffer) throws -> MovieTrack? {
        var bytes: [UInt8] = []
        for part in parts { bytes += Array(part.header.readableBytesView) + Array(part.media.readableBytesView) }
        return try MovieIndex.read(from: InMemorySegment(initializationSection: section, segment: bytes)).tracks.first
    }
}
