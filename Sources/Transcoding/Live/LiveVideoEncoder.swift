import CLibAV
import Codecs
import LibAV
import MediaCore
import NIOCore

/// Encodes decoded frames as H.264 of the same size, without frame reordering. Belongs to one thread.
///
/// A change of size or colour, or a jump of the source's clock, starts a new encoder with a key frame.
final class LiveVideoEncoder: LiveEncoder {
    /// The distance between key frames, in seconds.
    static let keyFrameIntervalSeconds: Int64 = 2
    /// The largest step of time that does not count as a jump of the clock. Smaller steps back are frames that are too
    /// late to be presented.
    private static let maximumForwardStepSeconds: Int64 = 10
    private static let maximumBackwardStepMilliseconds: Int64 = 500
    /// The frame rate with which rate control starts; it then follows the frames' times.
    private static let assumedFrameRate = AVRational(num: 30, den: 1)
    /// The largest GOP in frames. Key frames are forced by time; this bounds their distance for sources with hundreds
    /// of frames per second.
    private static let maximumGroupFrameCount: Int32 = 600

    private let codec: ForeignCodec
    private let timescale: Timescale
    private let emit: (LibAVLiveTranscoder.Output) -> Void
    private let scaler: Scaler
    private var run: Run?
    private var configuration: H264Configuration?

    /// The output of one encoder.
    private struct Run {
        var shape: Shape
        var encoder: Encoder
        /// The origin of the encoder's times, which keeps them small.
        var start: Int64
        var lastTime: Int64?
        var nextKeyFrameTime: Int64
    }

    private struct Shape: Equatable {
        var width: Int
        var height: Int
        var sampleAspectRatio: AVRational
        /// The colour of the encoder's input.
        var tags: ColorTags

        /// Reads a frame's format. 4:2:0 needs even sides: a last odd column or row is dropped.
        init(_ frame: Frame) {
            width = frame.width / 2 * 2
            height = frame.height / 2 * 2
            sampleAspectRatio = frame.pointer.pointee.sample_aspect_ratio.positive ?? AVRational(num: 1, den: 1)
            tags = ColorTags(frame).scaled
        }

        static func == (lhs: Shape, rhs: Shape) -> Bool {
            lhs.width == rhs.width && lhs.height == rhs.height
                && lhs.sampleAspectRatio.num == rhs.sampleAspectRatio.num
                && lhs.sampleAspectRatio.den == rhs.sampleAspectRatio.den
                && lhs.tags == rhs.tags
        }

        /// The cap on the bit rate; the quality setting decides what a frame needs. One bit per eight pixels is enough
        /// for a fast encoder and motion; small frames need more.
        var maximumBitRate: Int {
            let pixelRate = width * height * Int(LiveVideoEncoder.assumedFrameRate.num)
            return min(max(pixelRate / 8, 300_000), 8_000_000)
        }
    }

    init(_ codec: ForeignCodec, timescale: Timescale, emit: @escaping (LibAVLiveTranscoder.Output) -> Void) {
        self.codec = codec
        self.timescale = timescale
        self.emit = emit
        scaler = Scaler(file: codec.name)
    }

    func encode(_ frame: Frame, at time: MediaTime?) throws(LibAVError) {
        guard let time = time?.converted(to: timescale).value else { return }
        let shape = Shape(frame)
        if let run, run.shape == shape, let last = run.lastTime, !isJump(from: last, to: time) {
            guard time > last else { return }
        } else {
            try finishRun()
            try beginRun(shape, at: time)
        }
        let ownFrame = try encoderFrame(from: frame, shape)
        guard let run else { return }
        ownFrame.presentationTime = time - run.start
        let isKeyFrame = time >= run.nextKeyFrameTime
        if isKeyFrame { self.run?.nextKeyFrameTime = time + ticks(seconds: Self.keyFrameIntervalSeconds) }
        ownFrame.pointer.pointee.pict_type = isKeyFrame ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        self.run?.lastTime = time
        try encode(ownFrame)
    }

    private func ticks(seconds: Int64) -> Int64 { seconds * Int64(timescale.ticksPerSecond) }

    private func isJump(from last: Int64, to time: Int64) -> Bool {
        let step = time - last
        return step > ticks(seconds: Self.maximumForwardStepSeconds)
            || step < -ticks(seconds: Self.maximumBackwardStepMilliseconds) / 1_000
    }

    /// Returns an 8-bit 4:2:0 frame of the encoder's size: mostly the decoder's own frame, without a copy.
    private func encoderFrame(from frame: Frame, _ shape: Shape) throws(LibAVError) -> Frame {
        guard frame.pixelFormat == AV_PIX_FMT_YUV420P, frame.pointer.pointee.color_range != AVCOL_RANGE_JPEG,
            !ColorTags(frame).isHighDynamicRange
        else {
            return try scaler.scale(frame, width: shape.width, height: shape.height, format: AV_PIX_FMT_YUV420P)
        }
        let ownFrame = try frame.reference()
        ownFrame.pointer.pointee.width = Int32(clamping: shape.width)
        ownFrame.pointer.pointee.height = Int32(clamping: shape.height)
        return ownFrame
    }

    // MARK: Runs

    private func beginRun(_ shape: Shape, at start: Int64) throws(LibAVError) {
        let encoder = try makeEncoder(shape)
        run = Run(shape: shape, encoder: encoder, start: start, lastTime: nil, nextKeyFrameTime: start)
        let made = try encoder.h264Configuration(file: codec.name)
        guard made != configuration else { return }
        configuration = made
        emit(.configuration(.h264(made), timescale))
    }

    private func finishRun() throws(LibAVError) {
        guard run != nil else { return }
        try encode(nil)
        run = nil
    }

    private func makeEncoder(_ shape: Shape) throws(LibAVError) -> Encoder {
        let options = [
            (name: "preset", value: "veryfast"), ("tune", "zerolatency"), ("profile", "main"), ("crf", "23"),
            ("forced-idr", "1"),
            // Rate control follows the frames' times, and the parameter sets promise no rate, for which x264 would hold
            // back one frame (force-cfr=0).
            ("x264-params", "open-gop=0:bframes=0:scenecut=0:force-cfr=0"),
        ]
        return try Encoder(name: "libx264", options: options, file: codec.name) { context in
            context.pointee.width = Int32(clamping: shape.width)
            context.pointee.height = Int32(clamping: shape.height)
            context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
            context.pointee.time_base = AVRational(num: 1, den: Int32(clamping: timescale.ticksPerSecond))
            context.pointee.framerate = Self.assumedFrameRate
            context.pointee.sample_aspect_ratio = shape.sampleAspectRatio
            context.pointee.gop_size = Self.maximumGroupFrameCount
            context.pointee.max_b_frames = 0
            context.pointee.rc_max_rate = Int64(shape.maximumBitRate)
            context.pointee.rc_buffer_size = Int32(clamping: shape.maximumBitRate)
            context.pointee.color_range = AVCOL_RANGE_MPEG
            shape.tags.apply(to: context)
            context.pointee.thread_count = 1
            context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        }
    }

    // MARK: Frames

    private func encode(_ ownFrame: Frame?) throws(LibAVError) {
        guard let run else { return }
        try run.encoder.encode(ownFrame, from: run.start) { emit(.unit($0)) }
    }
}
