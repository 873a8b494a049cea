package import Codecs
package import MediaCore
import NIOCore

/// One stream of a programme that can be shown: turns its frames into access units.
package struct TSTrack: Sendable {
    package let stream: TSStream
    package let mediaType: MediaType
    /// The parameters; `nil` before the first frame that has them, and for foreign codecs.
    package private(set) var configuration: CodecConfiguration?
    /// The codec if HLS does not carry it; `nil` otherwise.
    package private(set) var foreignCodec: ForeignCodec?
    private var clock: SampleClock?
    /// The beginning of a frame of audio whose rest is in the next PES packet.
    private var rest = ByteBuffer()
    private var isWaitingForKeyFrame = true
    private var latm = LATMElementReader()

    /// Bytes of a frame of audio, more than any codec here can say.
    private static let maximumAudioFrameByteCount = 64 << 10
    /// Frames of audio in a PES packet; encoders put a few tenths of a second into one.
    private static let maximumAudioFrameCount = 512
    private static let maximumNALUnitCount = 512

    /// - Returns: `nil` for content that cannot be shown.
    package init?(_ stream: TSStream) {
        switch stream.content {
        case .h264, .hevc: mediaType = .video
        case .aac, .latm, .ac3, .eac3, .opus, .mpegAudio: mediaType = .audio
        case .spliceInformation, .metadata, .other: return nil
        }
        self.stream = stream
    }

    /// Whether the parameters are known.
    package var isReady: Bool { configuration != nil || foreignCodec != nil }

    package var timescale: Timescale {
        guard mediaType == .audio else { return .video90kHz }
        if case .mpegAudio(let rate, _)? = foreignCodec {
            return Timescale(checking: UInt32(clamping: rate)) ?? .init(48_000)
        }
        return configuration?.audioSampleRate.flatMap { Timescale(checking: UInt32(clamping: $0)) } ?? Timescale(48_000)
    }

    // MARK: Frames

    /// Makes access units of a frame.
    ///
    /// - Returns: the units, and whether the parameters have changed with them. A damaged picture, and those that
    ///   refer to it, are left out.
    /// - Throws: `CodecError` for parameters that cannot be used.
    package mutating func units(of frame: TSFrame) throws(CodecError) -> (units: [AccessUnit], hasChanged: Bool) {
        if mediaType == .video { return try picture(frame) }
        return try audio(frame)
    }

    private mutating func picture(_ frame: TSFrame) throws(CodecError) -> (units: [AccessUnit], hasChanged: Bool) {
        if frame.isDamaged {
            isWaitingForKeyFrame = true
            return ([], false)
        }
        var picture = NALUnitPicture(isHEVC: stream.content == .hevc)
        let ranges = frame.content.withUnsafeReadableBytes { AnnexB.nalUnits(in: $0) }
        for range in ranges.prefix(Self.maximumNALUnitCount) {
            let start = frame.content.readerIndex + range.lowerBound
            if let unit = frame.content.getSlice(at: start, length: range.count) { picture.append(unit) }
        }
        var hasChanged = false
        if let found = try picture.configuration(beside: configuration) {
            hasChanged = configuration != nil && found != configuration
            configuration = found
        }
        guard isReady, !picture.units.isEmpty else { return ([], hasChanged) }
        let isKeyFrame = picture.isRandomAccessPoint || picture.isRecoveryPoint
        if isKeyFrame { isWaitingForKeyFrame = false }
        guard !isWaitingForKeyFrame else { return ([], hasChanged) }
        var clock = self.clock ?? SampleClock(timescale: timescale, frameTicks: nil)
        let decodeTime = clock.time(told: frame.decodeTime)
        self.clock = clock
        var unit = AccessUnit(
            decodeTime: decodeTime, presentationTime: max(decodeTime, frame.presentationTime),
            isRandomAccessPoint: isKeyFrame, payload: .nalUnits(picture.units))
        unit.refersBack = picture.isSkippedLeading || (isKeyFrame && !picture.isRandomAccessPoint)
        return ([unit], hasChanged)
    }

    private mutating func audio(_ packet: TSFrame) throws(CodecError) -> (units: [AccessUnit], hasChanged: Bool) {
        if packet.isDamaged { rest = ByteBuffer() }
        // The time is that of the first frame that begins here.
        let carriedByteCount = rest.readableBytes
        var bytes = rest
        bytes.writeImmutableBuffer(packet.content)
        rest = ByteBuffer()
        var (units, hasChanged, samples) = ([AccessUnit](), false, Int64(0))
        while bytes.readableBytes > 0, units.count < Self.maximumAudioFrameCount {
            let isCarried = units.isEmpty && carriedByteCount > 0
            guard let found = TSAudioFrame(stream, bytes) else {
                // Not the beginning of a frame: it is looked for.
                bytes.moveReaderIndex(forwardBy: 1)
                continue
            }
            guard let content = found.content else {
                if bytes.readableBytes <= Self.maximumAudioFrameByteCount { rest = bytes }
                break
            }
            hasChanged = try set(found) || hasChanged
            let frames = stream.content == .latm ? try elementFrames(content, &hasChanged) : [content]
            guard bytes.readSlice(length: found.byteCount) != nil else { break }
            guard isReady else { continue }
            let sampleCount = found.sampleCount > 0 ? found.sampleCount : elementSampleCount
            for frame in frames {
                var clock = self.clock ?? SampleClock(timescale: timescale, frameTicks: nil)
                clock.frameTicks = sampleCount
                // The sender may let its times jump as far as it likes.
                let told = MediaTime(value: packet.presentationTime, timescale: .video90kHz).converted(to: timescale)
                let time = clock.time(told: told.value.addingSaturating(isCarried ? -sampleCount : samples))
                self.clock = clock
                if !isCarried { samples += sampleCount }
                units.append(
                    AccessUnit(
                        decodeTime: time, presentationTime: time, isRandomAccessPoint: true, payload: .frame(frame)))
            }
        }
        return (units, hasChanged)
    }

    /// The frames of an element of LATM. One that is damaged has none.
    private mutating func elementFrames(_ element: ByteBuffer, _ hasChanged: inout Bool) throws(CodecError)
        -> [ByteBuffer]
    {
        var reader = latm
        let frames: [ByteBuffer]
        do {
            frames = try reader.frames(in: element)
        } catch {
            guard error.code == .unsupported else { return [] }
            throw error
        }
        latm = reader
        guard let audio = reader.configuration?.audio, .aac(audio) != configuration else { return frames }
        hasChanged = hasChanged || configuration != nil
        if configuration?.audioSampleRate != audio.sampleRate { clock = nil }
        configuration = .aac(audio)
        return frames
    }

    private var elementSampleCount: Int64 { Int64(configuration?.audioSamplesPerFrame ?? 0) }

    /// Notes the parameters of a frame of audio.
    ///
    /// - Returns: whether they are other ones than before.
    private mutating func set(_ frame: TSAudioFrame) throws(CodecError) -> Bool {
        if let foreign = frame.foreignCodec {
            defer { foreignCodec = foreign }
            return foreignCodec != nil && foreignCodec != foreign
        }
        guard let found = try frame.configuration() else { return false }
        defer { configuration = found }
        guard let configuration, found != configuration else { return false }
        if found.audioSampleRate != configuration.audioSampleRate { clock = nil }
        return true
    }
}
