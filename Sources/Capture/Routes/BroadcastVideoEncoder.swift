import CLibAV
import Codecs
import LibAV
import MediaCore

/// Encodes frames within a preset's size, frame rate and bit rate, with a key frame every two seconds. Belongs to one
/// thread.
final class BroadcastVideoEncoder {
    static let timescale = Timescale.video90kHz
    /// The share of a frame's duration by which it may be early and still count as its own.
    private static let toleratedEarliness = 0.25

    private let encoding: BroadcastEncoding
    /// The expected frame rate: the source's, or the preset's if that is lower.
    private let frameRate: Double
    private let control: BroadcastControl
    private let name: String
    private let emit: (BroadcastOutput) -> Void
    private let scaler: Scaler
    private let preview: PreviewTap
    private var run: Run?
    /// The time at which the next frame is wanted, in microseconds.
    private var nextDue: Double?
    private var lastTime: Int64?
    private var lastFrame: Frame?

    private struct Run {
        var size: Size
        var encoder: Encoder
        var bitRate: Int
        var nextKeyFrameTime: Int64
    }

    private struct Size: Equatable {
        var width: Int
        var height: Int
    }

    /// Creates an encoder, which opens with the first frame.
    ///
    /// - Parameters:
    ///   - sourceFrameRate: Frames per second; `nil` if unknown.
    ///   - name: The source's name, for messages.
    init(
        _ encoding: BroadcastEncoding, sourceFrameRate: Double?, name: String, control: BroadcastControl,
        emit: @escaping (BroadcastOutput) -> Void
    ) {
        self.encoding = encoding
        frameRate = min(encoding.frameRate, sourceFrameRate.flatMap { $0 >= 1 ? $0 : nil } ?? encoding.frameRate)
        self.control = control
        self.name = name
        self.emit = emit
        scaler = Scaler(file: name)
        preview = PreviewTap(control: control, name: name, emit: emit)
    }

    /// Scales and encodes a frame, unless it exceeds the preset's frame rate.
    ///
    /// - Parameters:
    ///   - time: The presentation time in microseconds from the start of the capture.
    ///   - pixelRatio: The pixel aspect ratio of the stored frame.
    ///   - rotation: The rotation to apply.
    func encode(
        _ frame: Frame, at time: Int64, pixelRatio: Double = 1, rotation: FrameRotation = .none
    ) throws(LibAVError) {
        control.count { $0.capturedFrameCount += 1 }
        guard isWanted(at: time) else { return }
        // Extreme ratios come from damaged files.
        let ratio = min(max(pixelRatio, 0.1), 10)
        let size = Self.fitted(
            width: Double(frame.width) * ratio, height: Double(frame.height), isTurned: rotation.swapsSides,
            into: encoding)
        if run?.size != size {
            try finish()
            try beginRun(size, at: time)
        }
        let turned = rotation.swapsSides
        let upright = try rotation.apply(
            to: scaler.scale(
                frame, width: turned ? size.height : size.width, height: turned ? size.width : size.height,
                format: AV_PIX_FMT_YUV420P))
        lastFrame = upright
        try send(upright, at: time)
    }

    /// Sends the last frame again, because its source is gone. Does nothing if there was none.
    func repeatFrame(at time: Int64) throws(LibAVError) {
        guard let lastFrame, run != nil, isWanted(at: time) else { return }
        control.count { $0.capturedFrameCount += 1 }
        try send(lastFrame, at: time)
    }

    private func send(_ frame: Frame, at time: Int64) throws(LibAVError) {
        try preview.show(frame, at: time)
        followBitRate()
        guard var run else { return }
        // Key frames are placed as close to their time as the frame rate allows.
        let isKeyFrame = Double(time) >= Double(run.nextKeyFrameTime) - 500_000 / frameRate
        if isKeyFrame {
            let interval = Int64(BroadcastEncoding.keyFrameIntervalSeconds) * 1_000_000
            run.nextKeyFrameTime = max(run.nextKeyFrameTime + interval, time + interval / 2)
            self.run = run
        }
        frame.presentationTime = Self.ticks(time)
        frame.pointer.pointee.pict_type = isKeyFrame ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        control.count { $0.encodedFrameCount += 1 }
        try encode(frame)
    }

    /// Drains the encoder.
    func finish() throws(LibAVError) {
        guard run != nil else { return }
        try encode(nil)
        run = nil
    }

    // MARK: Frame rate and size

    /// Returns whether the frame is needed for an even frame rate within the preset's.
    private func isWanted(at time: Int64) -> Bool {
        let interval = 1_000_000 / encoding.frameRate
        guard let due = nextDue, let last = lastTime, time > last else {
            // This is the first frame, or the source's clock has been set back.
            guard lastTime.map({ time > $0 }) ?? true else { return false }
            lastTime = time
            nextDue = Double(time) + interval
            return true
        }
        guard Double(time) >= due - interval * Self.toleratedEarliness else { return false }
        lastTime = time
        // After a pause the cadence starts again.
        nextDue = Double(time) > due + interval ? Double(time) + interval : due + interval
        return true
    }

    /// Returns the largest size that fits the preset, in the source's aspect ratio, never larger than the source; even,
    /// as 4:2:0 requires.
    private static func fitted(
        width: Double, height: Double, isTurned: Bool, into encoding: BroadcastEncoding
    ) -> Size {
        let (width, height) = isTurned ? (height, width) : (width, height)
        let scale = min(1, Double(encoding.width) / max(1, width), Double(encoding.height) / max(1, height))
        func even(_ side: Double, most: Int) -> Int { max(2, min(most, Int((side * scale / 2).rounded()) * 2)) }
        return Size(width: even(width, most: encoding.width), height: even(height, most: encoding.height))
    }

    private static func ticks(_ microseconds: Int64) -> Int64 { microseconds * 9 / 100 }

    // MARK: Encoder

    private func beginRun(_ size: Size, at time: Int64) throws(LibAVError) {
        let bitRate = control.videoBitRate
        let encoder: Encoder
        do throws(LibAVError) { encoder = try makeEncoder(size, bitRate: bitRate) } catch {
            guard encoding.encoderName != BroadcastEncoding.usualEncoderName else { throw error }
            throw LibAVError(
                error.code, file: nil,
                "\(encoding.encoderName) does not start: does this machine have its hardware, and may this user use it? "
                    + "\(BroadcastEncoding.usualEncoderName) needs none (\(error.reason))")
        }
        run = Run(size: size, encoder: encoder, bitRate: bitRate, nextKeyFrameTime: time)
        emit(.configuration(.h264(try encoder.h264Configuration(file: name)), Self.timescale))
    }

    private func makeEncoder(_ size: Size, bitRate: Int) throws(LibAVError) -> Encoder {
        var options: [(name: String, value: String)] = []
        if encoding.encoderName == "libx264" {
            options = [
                ("preset", encoding.encoderSpeed), ("tune", "zerolatency"), ("profile", "high"), ("forced-idr", "1"),
                ("x264-params", "open-gop=0:bframes=0:scenecut=0"),
            ]
        }
        return try Encoder(name: encoding.encoderName, options: options, file: name) { context in
            context.pointee.width = Int32(clamping: size.width)
            context.pointee.height = Int32(clamping: size.height)
            context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
            context.pointee.time_base = AVRational(num: 1, den: Int32(clamping: Self.timescale.ticksPerSecond))
            context.pointee.framerate = AVRational(num: Int32((frameRate * 1_000).rounded()), den: 1_000)
            context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
            // Key frames are forced by time; this bounds their distance if frames come faster than announced.
            let rounded = Int((frameRate * Double(BroadcastEncoding.keyFrameIntervalSeconds)).rounded())
            context.pointee.gop_size = Int32(clamping: rounded * 2)
            context.pointee.max_b_frames = 0
            context.pointee.bit_rate = Int64(bitRate)
            context.pointee.rc_max_rate = Int64(bitRate)
            context.pointee.rc_buffer_size = Int32(clamping: bitRate)
            context.pointee.color_range = AVCOL_RANGE_MPEG
            // Zero means as many threads as there are processors.
            context.pointee.thread_count = 0
            context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        }
    }

    /// Applies a changed bit rate; libx264's wrapper adopts it with the next frame.
    private func followBitRate() {
        let wanted = control.videoBitRate
        guard let run, run.bitRate != wanted else { return }
        run.encoder.context.pointee.bit_rate = Int64(wanted)
        run.encoder.context.pointee.rc_max_rate = Int64(wanted)
        run.encoder.context.pointee.rc_buffer_size = Int32(clamping: wanted)
        self.run?.bitRate = wanted
    }

    private func encode(_ frame: Frame?) throws(LibAVError) {
        guard let run else { return }
        try run.encoder.encode(frame) { packet throws(LibAVError) in
            guard let time = packet.presentationTime else { return }
            let units = AnnexB.slices(of: packet.bytes)
            guard !units.isEmpty else { return }
            let isKeyFrame = packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0
            emit(
                .unit(
                    .video,
                    AccessUnit(
                        decodeTime: time, presentationTime: time, isRandomAccessPoint: isKeyFrame,
                        payload: .nalUnits(units))))
        }
    }
}
