import CLibAV

/// Converts one input stream's packets to one track of a movie.
protocol TrackConverter: AnyObject {
    /// Converts a packet.
    ///
    /// - Parameter packet: A packet of this stream with times in the stream's time base; `nil` at the end of the file.
    func accept(_ packet: Packet?) throws(LibAVError)

    /// True if the stream was decoded without yielding a single frame.
    var decodedNothing: Bool { get }
}

extension TrackConverter {
    var decodedNothing: Bool { false }
}

/// Copies compressed video frames, with times that MP4 can hold.
final class VideoCopier: TrackConverter {
    private let writer: MovieWriter
    private let track: Int
    private var grid: FrameGrid
    /// The reordering delay, in frames.
    private let reorderedFrameCount: Int64
    private let hasPresentationTimes: Bool
    private var lastDecodeTime: Int64?
    private var hasKeyFrame = false

    /// Adds a track to the movie.
    ///
    /// - Parameter hasPresentationTimes: Whether the packets have presentation times; otherwise frames are presented as
    ///   they are decoded.
    init(
        _ stream: UnsafeMutablePointer<AVStream>, frameRate: AVRational?, writer: MovieWriter,
        hasPresentationTimes: Bool = true
    ) throws(LibAVError) {
        self.writer = writer
        self.hasPresentationTimes = hasPresentationTimes
        grid = FrameGrid(source: stream.pointee.time_base, frameRate: frameRate)
        reorderedFrameCount = Int64(max(0, min(16, stream.pointee.codecpar.pointee.video_delay)))
        track = try writer.addCopy(of: stream, timeBase: grid.timeBase)
    }

    func accept(_ packet: Packet?) throws(LibAVError) {
        guard let packet else { return }
        // A recording may begin in the middle of a GOP; frames before the first key frame could not be decoded.
        hasKeyFrame = hasKeyFrame || packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0
        guard hasKeyFrame else { return }
        let presentationTime = hasPresentationTimes ? packet.presentationTime.map { grid.time(of: $0) } : nil
        var decodeTime = packet.decodeTime.map { grid.time(of: $0) }
        if let last = lastDecodeTime {
            decodeTime = max(decodeTime ?? last + grid.pictureDuration, last + 1)
        }
        // Matroska has no decode times, and libav derives none for the first frames.
        let known = decodeTime ?? (presentationTime ?? 0) - reorderedFrameCount * grid.pictureDuration
        lastDecodeTime = known
        packet.decodeTime = known
        packet.presentationTime = max(presentationTime ?? known, known)
        packet.duration = grid.pictureDuration
        try writer.write(packet, track: track, timeBase: grid.timeBase)
    }
}

/// Copies audio frames, with times counted in samples so that a container's rounding does not stay in the durations.
final class AudioCopier: TrackConverter {
    /// The largest rounding error of containers, in seconds; beyond it a frame is really elsewhere.
    private static let toleratedSeconds = 0.03

    private let writer: MovieWriter
    private let track: Int
    private let source: AVRational
    private let samples: AVRational
    private let frameLength: AudioFrameLength
    private var nextTime: Int64?

    init(_ stream: UnsafeMutablePointer<AVStream>, writer: MovieWriter) throws(LibAVError) {
        self.writer = writer
        source = stream.pointee.time_base
        let parameters = stream.pointee.codecpar.pointee
        samples = AVRational(num: 1, den: max(1, parameters.sample_rate))
        frameLength = AudioFrameLength(parameters)
        track = try writer.addCopy(of: stream, timeBase: samples)
    }

    func accept(_ packet: Packet?) throws(LibAVError) {
        guard let packet else { return }
        let told = (packet.presentationTime ?? packet.decodeTime).map { rescale($0, from: source, to: samples) }
        var time = told ?? nextTime ?? 0
        if let next = nextTime {
            let tolerated = Int64(Double(samples.den) * Self.toleratedSeconds)
            time = abs(time - next) <= tolerated ? next : max(time, next)
        }
        let frameSampleCount = frameLength.sampleCount(
            of: UnsafeBufferPointer(start: packet.pointer.pointee.data, count: Int(packet.pointer.pointee.size)),
            duration: rescale(max(0, packet.duration), from: source, to: samples))
        nextTime = time + frameSampleCount
        packet.presentationTime = time
        packet.decodeTime = time
        packet.duration = frameSampleCount
        try writer.write(packet, track: track, timeBase: samples)
    }
}

/// Transcodes video to H.264: a closed GOP every 2 s, 4:2:0, upright, at most 60 frames per second.
final class VideoTranscoder: TrackConverter {
    static let maximumFrameRate = AVRational(num: 60, den: 1)
    /// The distance between key frames, in seconds.
    static let keyFrameIntervalSeconds: Int64 = 2
    /// The largest frame size in pixels, roughly that of H.264 level 5.1.
    private static let maximumPixelCount = 4096 * 2304

    private let writer: MovieWriter
    private let track: Int
    private let decoder: Decoder
    private let encoder: Encoder
    private let scaler: Scaler
    private let rotation: PictureRotation
    private let width: Int
    private let height: Int
    private var grid: FrameGrid
    private var spacing: PictureSpacing<Frame>
    private var nextAllowedTime: Int64?
    private var nextKeyFrameTime: Int64 = .min

    init(
        _ stream: UnsafeMutablePointer<AVStream>,
        info: StreamInfo,
        frameRate: AVRational?,
        writer: MovieWriter,
        file: String,
        threadCount: Int
    ) throws(LibAVError) {
        self.writer = writer
        guard let sourceWidth = info.width, let sourceHeight = info.height else {
            throw LibAVError(.damaged, file: file, "does not state the size of its video")
        }
        decoder = try Decoder(stream, codecName: info.codecName, file: file, threadCount: threadCount)
        scaler = Scaler(file: file)
        rotation = PictureRotation(of: stream)
        grid = FrameGrid(source: stream.pointee.time_base, frameRate: frameRate)
        spacing = PictureSpacing(pictureDuration: grid.pictureDuration)
        let shrink = min(1, (Double(Self.maximumPixelCount) / Double(sourceWidth * sourceHeight)).squareRoot())
        width = Self.even(Double(sourceWidth) * shrink)
        height = Self.even(Double(sourceHeight) * shrink)
        let told = frameRate ?? AVRational(num: 25, den: 1)
        // Many containers hold the ratio when the stream does not.
        var ratio = libav.av_guess_sample_aspect_ratio(nil, stream, nil).positive ?? AVRational(num: 1, den: 1)
        if rotation.swapsSides { ratio = ratio.inverse }
        encoder = try Encoder.h264(
            width: rotation.swapsSides ? height : width, height: rotation.swapsSides ? width : height,
            frameRate: told.value > 60 ? Self.maximumFrameRate : told, timeBase: grid.timeBase,
            like: stream.pointee.codecpar.pointee, sampleAspectRatio: ratio, file: file, threadCount: threadCount)
        track = try writer.addTrack(encoder, from: stream)
    }

    var decodedNothing: Bool { decoder.frameCount == 0 }

    func accept(_ packet: Packet?) throws(LibAVError) {
        try decoder.decode(packet) { frame throws(LibAVError) in
            let told = (frame.bestEffortTime ?? frame.presentationTime).map { grid.time(of: $0) }
            for (picture, time) in spacing.accept(try frame.reference(), at: told) { try encode(picture, at: time) }
        }
        guard packet == nil else { return }
        for (picture, time) in spacing.finish() { try encode(picture, at: time) }
        try encoder.encode(nil) { packet throws(LibAVError) in try write(packet) }
    }

    /// Rotates, scales and encodes a frame, unless it exceeds the frame rate.
    ///
    /// - Parameter time: The presentation time, later than the last one's.
    private func encode(_ frame: Frame, at time: Int64) throws(LibAVError) {
        // A quarter of a frame's duration is left for rounding, so that 60 frames per second stay 60.
        let minimumDistance = rescale(1, from: Self.maximumFrameRate.inverse, to: grid.timeBase)
        if let allowed = nextAllowedTime, time < allowed - minimumDistance / 4 { return }
        nextAllowedTime = max((nextAllowedTime ?? time) + minimumDistance, time + minimumDistance / 2)

        let scaled = try scaler.scale(frame, width: width, height: height, format: AV_PIX_FMT_YUV420P)
        let upright = try rotation.apply(to: scaled)
        upright.presentationTime = time
        upright.pointer.pointee.pict_type = isKeyFrameDue(at: time) ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        try encoder.encode(upright) { packet throws(LibAVError) in try write(packet) }
    }

    /// Returns whether a frame is the first one at or after a multiple of 2 s: segments of 6 s then end where they
    /// should, whatever the frame rate.
    private func isKeyFrameDue(at time: Int64) -> Bool {
        guard time >= nextKeyFrameTime else { return false }
        let interval = Self.keyFrameIntervalSeconds * Int64(grid.timeBase.den)
        let passed = time >= 0 ? time / interval : 0
        nextKeyFrameTime = (passed + 1) * interval
        return true
    }

    private func write(_ packet: Packet) throws(LibAVError) {
        if packet.duration <= 0 { packet.duration = grid.pictureDuration }
        try writer.write(packet, track: track, timeBase: encoder.timeBase)
    }

    private static func even(_ side: Double) -> Int { max(2, Int(side) / 2 * 2) }
}

/// Transcodes audio to AAC-LC, mono or stereo, at the source's sample rate if HLS players accept it.
final class AudioTranscoder: TrackConverter {
    /// The sample rates that every AAC decoder supports; other rates become 48 kHz.
    private static let sampleRates: Set<Int> = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000]

    private let writer: MovieWriter
    private let track: Int
    private let decoder: Decoder
    private let encoder: Encoder
    private let resampler: Resampler
    private let source: AVRational

    init(
        _ stream: UnsafeMutablePointer<AVStream>, info: StreamInfo, writer: MovieWriter, file: String
    ) throws(LibAVError) {
        self.writer = writer
        guard let sampleRate = info.sampleRate, let channelCount = info.channelCount else {
            throw LibAVError(.damaged, file: file, "does not state the sample rate of its audio")
        }
        source = stream.pointee.time_base
        decoder = try Decoder(stream, codecName: info.codecName, file: file, threadCount: 1)
        encoder = try Encoder.aac(
            sampleRate: Self.sampleRates.contains(sampleRate) ? sampleRate : 48_000,
            channelCount: min(channelCount, 2), file: file)
        resampler = try Resampler(encoder, file: file)
        track = try writer.addTrack(encoder, from: stream)
    }

    var decodedNothing: Bool { decoder.frameCount == 0 }

    func accept(_ packet: Packet?) throws(LibAVError) {
        try decoder.decode(packet) { frame throws(LibAVError) in
            let time = (frame.bestEffortTime ?? frame.presentationTime).map {
                rescale($0, from: source, to: encoder.timeBase)
            }
            try resampler.convert(frame, at: time) { samples throws(LibAVError) in try encode(samples) }
        }
        guard packet == nil else { return }
        try resampler.finish { samples throws(LibAVError) in try encode(samples) }
        try encode(nil)
    }

    private func encode(_ samples: Frame?) throws(LibAVError) {
        try encoder.encode(samples) { packet throws(LibAVError) in
            try writer.write(packet, track: track, timeBase: encoder.timeBase)
        }
    }
}
