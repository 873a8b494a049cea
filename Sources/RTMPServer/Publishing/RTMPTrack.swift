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
    private var clock: RTMPSampleClock?
    private var nalLengthByteCount = 4

    /// NAL units in a frame; encoders make a few dozen.
    private static let maximumNALUnitCount = 512
    private static let videoTimescale = Timescale(90_000)
    /// The header of the last block of metadata, STREAMINFO, of 34 bytes.
    private static let flacBlockHeader: [UInt8] = [0x80, 0, 0, 34]
    /// Bytes of a frame from which parameters are read.
    private static let inspectedByteCount = 64

    /// - Throws: ``RTMPRefusal`` for a codec that Antena does not take.
    init(_ tag: FLVTag) throws(RTMPRefusal) {
        switch tag.codec {
        case .mp3, .other:
            throw RTMPRefusal(
                "\(tag.codec.name) is not supported; set the encoder to \(tag.isVideo ? "H.264" : "AAC")")
        default: break
        }
        (codec, number) = (tag.codec, tag.track)
    }

    var isVideo: Bool { FLVTag(track: number, codec: codec, content: .nothing).isVideo }

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
    /// - Throws: `CodecError`, ``RTMPRefusal``
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
    /// - Throws: `CodecError`, ``RTMPRefusal``
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
            guard let picture = try picture(frame, isKeyFrame: isKeyFrame) else { return nil }
            hasChanged = picture.hasChanged
            (isRandomAccessPoint, refersBack) = (picture.isRandomAccessPoint, picture.refersBack)
            payload = .nalUnits(picture.units)
        case .av1:
            guard let unit = Self.withoutDelimiter(frame) else { return nil }
            payload = .frame(unit)
        default: payload = .frame(frame)
        }
        guard isReady else { return nil }
        var clock = self.clock ?? RTMPSampleClock(timescale: timescale, frameTicks: frameTicks)
        if codec == .opus { clock.frameTicks = Self.opusTicks(frame) ?? clock.frameTicks }
        let decodeTime = clock.time(ofMilliseconds: max(0, milliseconds), nanoseconds: composition.nanoseconds)
        self.clock = clock
        let offset = Int64(max(0, composition.milliseconds)) * Int64(timescale.ticksPerSecond) / 1_000
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

    private struct Picture {
        var units: [FragmentedNALUnit] = []
        var isRandomAccessPoint = false
        var refersBack = false
        var hasChanged = false
    }

    /// Takes a frame of NAL units apart. Parameter sets in it are taken out, as MP4 wants it.
    private mutating func picture(_ frame: ByteBuffer, isKeyFrame: Bool) throws -> Picture? {
        var (frame, picture) = (frame, Picture())
        var sets: [UInt8: [[UInt8]]] = [:]
        while frame.readableBytes > 0 {
            guard let length = frame.readLength(byteCount: nalLengthByteCount), length <= frame.readableBytes else {
                throw RTMPRefusal("a NAL unit is longer than its frame")
            }
            guard let unit = frame.readSlice(length: length),
                let first = unit.getInteger(at: unit.readerIndex, as: UInt8.self)
            else { continue }
            guard picture.units.count < Self.maximumNALUnitCount else {
                throw RTMPRefusal("a frame has more than \(Self.maximumNALUnitCount) NAL units")
            }
            switch codec == .h264 ? place(h264: first, &picture) : place(hevc: first, &picture) {
            case .kept: picture.units.append(FragmentedNALUnit(unit))
            case .set(let type): sets[type, default: []].append(Array(unit.readableBytesView))
            case .left: break
            }
        }
        if !sets.isEmpty { picture.hasChanged = try take(sets) }
        if isKeyFrame, !picture.isRandomAccessPoint {
            (picture.isRandomAccessPoint, picture.refersBack) = (true, true)
        }
        return picture.units.isEmpty ? nil : picture
    }

    private enum Placement {
        case kept, left
        case set(UInt8)
    }

    private func place(h264 header: UInt8, _ picture: inout Picture) -> Placement {
        switch H264NALUnitType(headerByte: header) {
        case .idrSlice:
            picture.isRandomAccessPoint = true
            return .kept
        case .sequenceParameterSet, .pictureParameterSet: return .set(header & 0x1F)
        case .accessUnitDelimiter, .fillerData, .endOfSequence, .endOfStream: return .left
        default: return .kept
        }
    }

    private func place(hevc header: UInt8, _ picture: inout Picture) -> Placement {
        let type = HEVCNALUnitType.type(headerByte: header)
        switch type {
        case HEVCNALUnitType.randomAccessPoints:
            picture.isRandomAccessPoint = true
            return .kept
        case HEVCNALUnitType.parameterSets: return .set(type)
        case HEVCNALUnitType.accessUnitDelimiter...HEVCNALUnitType.fillerData: return .left
        default:
            if HEVCNALUnitType.skippedLeadingPictures.contains(type) { picture.refersBack = true }
            return .kept
        }
    }

    /// Takes parameter sets that came in a frame, beside those that are known of kinds that did not.
    private mutating func take(_ sets: [UInt8: [[UInt8]]]) throws -> Bool {
        if codec == .h264 {
            var known: H264Configuration?
            if case .h264(let configuration)? = configuration { known = configuration }
            let sequence = sets[H264NALUnitType.sequenceParameterSet.rawValue] ?? known?.sequenceParameterSets
            let pictures = sets[H264NALUnitType.pictureParameterSet.rawValue] ?? known?.pictureParameterSets
            guard let sequence, let pictures else { return false }
            return set(
                .h264(try H264Configuration(sequenceParameterSets: sequence, pictureParameterSets: pictures)))
        }
        var known: HEVCConfiguration?
        if case .hevc(let configuration)? = configuration { known = configuration }
        guard let video = sets[HEVCNALUnitType.videoParameterSet] ?? known?.videoParameterSets,
            let sequence = sets[HEVCNALUnitType.sequenceParameterSet] ?? known?.sequenceParameterSets,
            let pictures = sets[HEVCNALUnitType.pictureParameterSet] ?? known?.pictureParameterSets
        else { return false }
        return set(
            .hevc(
                try HEVCConfiguration(
                    videoParameterSets: video, sequenceParameterSets: sequence, pictureParameterSets: pictures)))
    }
}

extension ByteBuffer {
    fileprivate mutating func readLength(byteCount: Int) -> Int? {
        guard let bytes = readBytes(length: byteCount) else { return nil }
        return bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
