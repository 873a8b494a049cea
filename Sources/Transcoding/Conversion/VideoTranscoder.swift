import CLibAV
import LibAV

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
    private let rotation: FrameRotation
    private let width: Int
    private let height: Int
    private var grid: FrameGrid
    private var spacing: FrameSpacing<Frame>
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
        scaler = Scaler(file: file, streamTags: ColorTags(stream.pointee.codecpar.pointee))
        rotation = FrameRotation(of: stream)
        grid = FrameGrid(source: stream.pointee.time_base, frameRate: frameRate)
        spacing = FrameSpacing(frameDuration: grid.frameDuration)
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
            for (spaced, time) in spacing.accept(try frame.reference(), at: told) { try encode(spaced, at: time) }
        }
        guard packet == nil else { return }
        for (spaced, time) in spacing.finish() { try encode(spaced, at: time) }
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
        if packet.duration <= 0 { packet.duration = grid.frameDuration }
        try writer.write(packet, track: track, timeBase: encoder.timeBase)
    }

    private static func even(_ side: Double) -> Int { max(2, Int(side) / 2 * 2) }
}
