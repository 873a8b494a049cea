import ChannelPublishing
import Codecs
import MediaCore
import NIOCore
import RTMPProtocol

/// One track of a push: turns the content of its tags into access units.
struct RTMPTrack {
    let codec: FLVCodec
    /// The number of the track among those of its kind.
    let number: UInt8
    private(set) var configuration: CodecConfiguration?
    private var clock: SampleClock?
    private var nalLengthByteCount = 4

    /// NAL units in a frame; encoders make a few dozen.
    private static let maximumNALUnitCount = 512
    private static let videoTimescale = Timescale.video90kHz
    private static let nanoseconds = Timescale(1_000_000_000)
    /// The header of the last block of metadata, STREAMINFO, of 34 bytes.
    private static let flacBlockHeader: [UInt8] = [0x80, 0, 0, 34]
    /// Bytes of a frame from which parameters are read.
    private static let inspectedByteCount = 64

    /// - Parameters:
    ///   - tag: the first piece of the track.
    ///   - isVideo: whether it came in a tag of video.
    /// - Throws: ``PushRefusal`` for a codec that Antena does not take there.
    init(_ tag: FLVTag, isVideo: Bool) throws(PushRefusal) {
        switch tag.codec {
        case .mp3, .other:
            throw PushRefusal("\(tag.codec.name) is not supported; set the encoder to \(isVideo ? "H.264" : "AAC")")
        default: break
        }
        guard tag.codec.isVideo == isVideo else {
            throw PushRefusal("\(tag.codec.name) is not in its kind of tags")
        }
        (codec, number) = (tag.codec, tag.track)
    }

    private var isVideo: Bool { codec.isVideo }

    /// The codec if HLS does not carry it.
    var foreignCodec: ForeignCodec? { codec == .vp9 ? .vp9 : nil }

    /// Whether the parameters are known.
    var isReady: Bool { configuration != nil || foreignCodec != nil }

    var timescale: Timescale {
        if isVideo { return Self.videoTimescale }
        return configuration?.audioSampleRate.flatMap { Timescale(checking: UInt32(clamping: $0)) } ?? Timescale(48_000)
    }

    // MARK: Parameters

    /// Takes the parameters of the codec.
    ///
    /// - Returns: whether they have changed.
    /// - Throws: `CodecError`, ``PushRefusal``
    mutating func configure(_ record: ByteBuffer) throws -> Bool {
        var bytes = Array(record.readableBytesView)
        let found: CodecConfiguration
        switch codec {
        case .h264:
            nalLengthByteCount = Self.takeLength(&bytes, at: 4)
            found = .h264(try H264Configuration(parsingRecord: bytes))
        case .hevc:
            nalLengthByteCount = Self.takeLength(&bytes, at: 21)
            found = .hevc(try HEVCConfiguration(parsingRecord: bytes))
        case .av1: found = .av1(try AV1Configuration(parsingRecord: bytes))
        case .aac: found = .aac(try AACConfiguration(parsingAudioSpecificConfig: bytes))
        case .opus: found = .opus(try OpusConfiguration(parsingHeader: bytes))
        case .flac:
            // The stream's marker and the blocks that follow it, or the first block by itself, as ffmpeg sends it.
            let blocks =
                bytes.starts(with: "fLaC".utf8) ? Array(bytes.dropFirst(4)) : Self.flacBlockHeader + bytes
            found = .flac(try FLACConfiguration(parsingRecord: [0, 0, 0, 0] + blocks))
        case .vp9, .ac3, .eac3, .mp3, .other: return false
        }
        return set(found)
    }

    /// Reads the length of lengths in a record, and makes it the usual one, which the access units have.
    private static func takeLength(_ record: inout [UInt8], at index: Int) -> Int {
        guard record.indices.contains(index) else { return 4 }
        let byteCount = Int(record[index] & 3) + 1
        record[index] |= 3
        return byteCount
    }

    private mutating func set(_ found: CodecConfiguration) -> Bool {
        guard found != configuration else { return false }
        if found.audioSampleRate != configuration?.audioSampleRate { clock = nil }
        configuration = found
        clock?.frameTicks = found.audioSamplesPerFrame.map(Int64.init)
        return true
    }

    // MARK: Frames

    /// Makes an access unit of a frame.
    ///
    /// - Parameters:
    ///   - frame: the bytes of the frame.
    ///   - isKeyFrame: whether the encoder says so.
    ///   - composition: the distance of presentation.
    ///   - milliseconds: the time of its tag.
    /// - Returns: the unit, and whether the parameters have changed with it; `nil` if it holds nothing to show, or its
    ///   parameters are not known.
    /// - Throws: `CodecError`, ``PushRefusal``
    mutating func unit(
        _ frame: ByteBuffer, isKeyFrame: Bool, composition: FLVTag.Composition, milliseconds: Int64
    ) throws -> (unit: AccessUnit, hasChanged: Bool)? {
        guard frame.readableBytes > 0 else { return nil }
        var hasChanged = false
        switch codec {
        case .ac3, .eac3:
            let first =
                frame.getBytes(
                    at: frame.readerIndex, length: min(frame.readableBytes, Self.inspectedByteCount)) ?? []
            hasChanged = set(
                .dolby(try DolbyAudioConfiguration(frame: first, coding: codec == .ac3 ? .ac3 : .enhancedAC3)))
        case .opus where configuration == nil:
            hasChanged = set(.opus(try OpusConfiguration(channelCount: 2)))
        default: break
        }
        var isRandomAccessPoint = isKeyFrame || !isVideo
        var refersBack = false
        let payload: SamplePayload
        switch codec {
        case .h264, .hevc:
            let picture = try picture(frame)
            // Parameter sets in a frame are taken out, as MP4 wants it.
            if let found = try picture.configuration(beside: configuration) { hasChanged = set(found) }
            guard !picture.units.isEmpty else { return nil }
            isRandomAccessPoint = picture.isRandomAccessPoint || isKeyFrame
            // A key frame without such a picture is a recovery point: frames after it refer to before.
            refersBack = picture.isSkippedLeading || (isKeyFrame && !picture.isRandomAccessPoint)
            payload = .nalUnits(picture.units)
        case .av1:
            guard let unit = Self.withoutDelimiter(frame) else { return nil }
            payload = .frame(unit)
        default: payload = .frame(frame)
        }
        guard isReady else { return nil }
        var clock = self.clock ?? SampleClock(timescale: timescale, frameTicks: frameTicks)
        if codec == .opus { clock.frameTicks = Self.opusTicks(frame) ?? clock.frameTicks }
        // The timescale and the steps of the times are the publisher's, so their product has to be bounded.
        func ticks(_ value: Int64, _ scale: Timescale) -> Int64 {
            MediaTime(value: value, timescale: scale).converted(to: timescale).value
        }
        let decodeTime = clock.time(
            told: ticks(max(0, milliseconds), .milliseconds)
                .addingSaturating(ticks(Int64(composition.nanoseconds), Self.nanoseconds)))
        self.clock = clock
        let offset = ticks(Int64(max(0, composition.milliseconds)), .milliseconds)
        var unit = AccessUnit(
            decodeTime: decodeTime, presentationTime: decodeTime + offset, isRandomAccessPoint: isRandomAccessPoint,
            payload: payload)
        unit.refersBack = refersBack
        return (unit, hasChanged)
    }

    private var frameTicks: Int64? { configuration?.audioSamplesPerFrame.map(Int64.init) }

    private static func opusTicks(_ packet: ByteBuffer) -> Int64? {
        guard let first = packet.getInteger(at: packet.readerIndex, as: UInt8.self) else { return nil }
        let second = packet.getInteger(at: packet.readerIndex + 1, as: UInt8.self)
        return OpusConfiguration.sampleCount(first: first, second: second).flatMap { $0 > 0 ? Int64($0) : nil }
    }

    /// The OBUs without the temporal delimiter that encoders put in front, which samples do not have.
    private static func withoutDelimiter(_ frame: ByteBuffer) -> ByteBuffer? {
        var frame = frame
        // The header of a delimiter that says its size, and the size, which is zero.
        if frame.getBytes(at: frame.readerIndex, length: 2) == [AV1OBUType.temporalDelimiter << 3 | 2, 0] {
            frame.moveReaderIndex(forwardBy: 2)
        }
        return frame.readableBytes > 0 ? frame : nil
    }

    /// Takes a frame of NAL units apart.
    private func picture(_ frame: ByteBuffer) throws(PushRefusal) -> NALUnitPicture {
        var (frame, picture) = (frame, NALUnitPicture(isHEVC: codec == .hevc))
        while frame.readableBytes > 0 {
            guard let length = frame.readLength(byteCount: nalLengthByteCount), length <= frame.readableBytes else {
                throw PushRefusal("a NAL unit is longer than its frame")
            }
            guard let unit = frame.readSlice(length: length) else { continue }
            guard picture.units.count < Self.maximumNALUnitCount else {
                throw PushRefusal("a frame has more than \(Self.maximumNALUnitCount) NAL units")
            }
            picture.append(unit)
        }
        return picture
    }
}

extension ByteBuffer {
    fileprivate mutating func readLength(byteCount: Int) -> Int? {
        if byteCount == 4 { return readInteger(as: UInt32.self).map(Int.init) }
        guard let bytes = readBytes(length: byteCount) else { return nil }
        return bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
