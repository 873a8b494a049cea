import CLibAV
import Glibc
package import LibAV

/// Makes the loop that a channel shows while its publisher is away: the first seconds of a video, a still image, or a
/// plain card, in H.264 of a given size, with silence in AAC.
package struct SlateConversion {
    /// The format of the loop.
    package struct Shape {
        /// The width in pixels; even.
        package var width: Int
        /// The height in pixels; even.
        package var height: Int
        /// The frames per second, as a fraction with ``frameRateDivisor``.
        package var frameRate: Int
        /// The denominator of ``frameRate``.
        package var frameRateDivisor: Int
        /// The distance between key frames in seconds; a still image or card is one such interval long.
        package var keyFrameInterval: Int
        /// The longest part of a video that is used, in seconds.
        package var maximumSeconds: Int
        /// Audio samples per second; `nil` without audio.
        package var sampleRate: Int?
        /// The number of audio channels; of no effect without audio.
        package var channelCount: Int
        /// The text on the card, in canonical decomposition; `nil` for none.
        package var title: String?

        package init(
            width: Int, height: Int, frameRate: Int, frameRateDivisor: Int, keyFrameInterval: Int, maximumSeconds: Int,
            sampleRate: Int?, channelCount: Int, title: String? = nil
        ) {
            self.width = width
            self.height = height
            self.frameRate = frameRate
            self.frameRateDivisor = frameRateDivisor
            self.keyFrameInterval = keyFrameInterval
            self.maximumSeconds = maximumSeconds
            self.sampleRate = sampleRate
            self.channelCount = channelCount
            self.title = title
        }

        var rate: AVRational { AVRational(num: Int32(clamping: frameRate), den: Int32(clamping: frameRateDivisor)) }
        var frameTimeBase: AVRational { rate.inverse }
        var frameCountPerKeyFrame: Int64 {
            max(1, Int64((rate.value * Double(keyFrameInterval)).rounded(.up)))
        }
        /// The largest number of frames, a multiple of the GOP length.
        var maximumFrameCount: Int64 {
            let groupCount = Int64(rate.value * Double(maximumSeconds)) / frameCountPerKeyFrame
            return max(1, groupCount) * frameCountPerKeyFrame
        }
    }

    /// The number of audio frames: two more than the encoder needs to forget its start.
    private static let silentFrameCount: Int64 = 8
    private static let name = "slate"

    private let input: InputFile?
    private let shape: Shape

    /// Creates a conversion.
    ///
    /// - Parameters:
    ///   - input: The video or image; `nil` for a plain card.
    ///   - shape: The codecs, frame size and rate that the loop must have.
    package init(_ input: InputFile?, shape: Shape) {
        self.input = input
        self.shape = shape
    }

    /// Writes the loop as an MP4. Throws `LibAVError` if the input cannot be decoded or an encoder is missing.
    package func write(to path: String) throws(LibAVError) {
        guard shape.rate.positive != nil, (2...Scaler.maximumDimension).contains(shape.width),
            (2...Scaler.maximumDimension).contains(shape.height), shape.keyFrameInterval > 0, shape.maximumSeconds > 0
        else { throw LibAVError(.damaged, file: Self.name, "cannot be \(shape.width)x\(shape.height)") }
        try LibAVRuntime.load()
        let file = input?.name ?? Self.name
        let writer = try MovieWriter(path: path, file: file, interruption: input?.interruption ?? .never)
        let video = try videoEncoder(file: file)
        let videoTrack = try writer.addTrack(video, from: nil)
        let audio = try shape.sampleRate.map { rate throws(LibAVError) in
            try Encoder.aac(sampleRate: rate, channelCount: max(1, min(2, shape.channelCount)), file: file)
        }
        let audioTrack = try audio.map { encoder throws(LibAVError) in try writer.addTrack(encoder, from: nil) }
        try writer.start(tags: [:])
        try writeFrames(video) { packet throws(LibAVError) in
            packet.duration = 1
            try writer.write(packet, track: videoTrack, timeBase: shape.frameTimeBase)
        }
        if let audio, let audioTrack {
            try writeSilence(audio) { packet throws(LibAVError) in
                try writer.write(packet, track: audioTrack, timeBase: audio.timeBase)
            }
        }
        try writer.finish()
    }

    // MARK: Video

    /// Opens an encoder without frame reordering, so that the loop's end joins its beginning.
    private func videoEncoder(file: String) throws(LibAVError) -> Encoder {
        let pixelRate = Double(shape.width * shape.height) * shape.rate.value
        let maximumBitRate = Int(min(max(pixelRate * 0.1, 500_000), 8_000_000))
        let options = [
            (name: "preset", value: "veryfast"), ("profile", "high"), ("crf", "23"), ("forced-idr", "1"),
            ("x264-params", "open-gop=0:bframes=0:scenecut=0"),
        ]
        return try Encoder(name: "libx264", options: options, file: file) { context in
            context.pointee.width = Int32(clamping: shape.width)
            context.pointee.height = Int32(clamping: shape.height)
            context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
            context.pointee.time_base = shape.frameTimeBase
            context.pointee.framerate = shape.rate
            context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
            context.pointee.gop_size = Int32(clamping: shape.frameCountPerKeyFrame)
            context.pointee.max_b_frames = 0
            context.pointee.rc_max_rate = Int64(maximumBitRate)
            context.pointee.rc_buffer_size = Int32(clamping: maximumBitRate)
            context.pointee.color_range = AVCOL_RANGE_MPEG
            context.pointee.thread_count = 1
            context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        }
    }

    private func writeFrames(
        _ encoder: Encoder, _ body: (Packet) throws(LibAVError) -> Void
    ) throws(LibAVError) {
        var count: Int64 = 0
        func encode(_ frame: Frame) throws(LibAVError) {
            frame.presentationTime = count
            frame.pointer.pointee.pict_type =
                count % shape.frameCountPerKeyFrame == 0 ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
            count += 1
            try encoder.encode(frame, body)
        }
        var last: Frame?
        if let input {
            try readFrames(input) { frame, time throws(LibAVError) in
                // The previous frame is repeated until this frame's time.
                if let last {
                    while count < min(time, shape.maximumFrameCount) { try encode(last) }
                }
                last = frame
                return time < shape.maximumFrameCount
            }
        } else {
            last = try card()
        }
        guard let last else { throw LibAVError(.noMedia, file: input?.name ?? Self.name, "holds no video") }
        // Only complete GOPs, so that key frames keep their distance when the loop starts again.
        repeat {
            if count == shape.maximumFrameCount { break }
            try encode(last)
        } while count % shape.frameCountPerKeyFrame != 0
        try encoder.encode(nil, body)
    }

    /// Decodes the input.
    ///
    /// - Parameter body: Gets each frame in the slate's size and its presentation time in frames of the slate; returns
    ///   whether more frames are wanted.
    private func readFrames(
        _ input: InputFile, _ body: (Frame, Int64) throws(LibAVError) -> Bool
    ) throws(LibAVError) {
        guard let info = input.mainStream(.video) else {
            throw LibAVError(.noMedia, file: input.name, "holds no video")
        }
        input.readOnly([info])
        let stream = input.stream(info)
        let decoder = try Decoder(stream, codecName: info.codecName, file: input.name, threadCount: 1)
        let rotation = FrameRotation(of: stream)
        let scaler = Scaler(file: input.name, streamTags: ColorTags(stream.pointee.codecpar.pointee))
        let packet = try Packet()
        var start: Int64?
        var wantsMore = true
        while wantsMore {
            let hasMore = try input.read(into: packet)
            if hasMore, packet.streamIndex != info.index { continue }
            try decoder.decode(hasMore ? packet : nil) { frame throws(LibAVError) in
                guard wantsMore else { return }
                let time = frame.bestEffortTime ?? start ?? 0
                let origin = start ?? time
                start = origin
                let shown = rescale(
                    max(0, time.subtractingReportingOverflow(origin).partialValue), from: stream.pointee.time_base,
                    to: shape.frameTimeBase)
                let ratio = libav.av_guess_sample_aspect_ratio(input.context, stream, frame.pointer)
                wantsMore = try body(try letterboxed(frame, scaler, rotation, pixelRatio: ratio), shown)
            }
            if !hasMore { return }
        }
    }

    /// Scales a frame to the largest size that fits, centred on black.
    ///
    /// - Parameter pixelRatio: The pixel aspect ratio of the stored frame, before rotation.
    private func letterboxed(
        _ frame: Frame, _ scaler: Scaler, _ rotation: FrameRotation, pixelRatio: AVRational
    ) throws(LibAVError) -> Frame {
        // Extreme ratios come from damaged files.
        let storedWidth = Double(max(1, frame.width)) * min(max(pixelRatio.positive?.value ?? 1, 0.1), 10)
        let storedHeight = Double(max(1, frame.height))
        let (sourceWidth, sourceHeight) =
            rotation.swapsSides ? (storedHeight, storedWidth) : (storedWidth, storedHeight)
        let scale = min(Double(shape.width) / sourceWidth, Double(shape.height) / sourceHeight)
        let width = min(shape.width, max(2, Int(sourceWidth * scale) / 2 * 2))
        let height = min(shape.height, max(2, Int(sourceHeight * scale) / 2 * 2))
        let scaled = try rotation.apply(
            to: scaler.scale(
                frame, width: rotation.swapsSides ? height : width, height: rotation.swapsSides ? width : height,
                format: AV_PIX_FMT_YUV420P))
        if width == shape.width, height == shape.height { return scaled }
        let canvas = try Frame.video(width: shape.width, height: shape.height, format: AV_PIX_FMT_YUV420P)
        canvas.pointer.pointee.color_range = AVCOL_RANGE_MPEG
        canvas.fill { _, _ in (luma: Self.black, blue: 128, red: 128) }
        canvas.paste(scaled, x: (shape.width - width) / 4 * 2, y: (shape.height - height) / 4 * 2)
        return canvas
    }

    /// Luma values in limited range.
    private static let black: UInt8 = 16
    private static let white = 235

    /// Draws the title and the notice on a dark blue field that is slightly brighter in the middle.
    func card() throws(LibAVError) -> Frame {
        let canvas = try Frame.video(width: shape.width, height: shape.height, format: AV_PIX_FMT_YUV420P)
        canvas.pointer.pointee.color_range = AVCOL_RANGE_MPEG
        let height = shape.height
        let card = SlateCard(width: shape.width, height: height, title: shape.title)
        canvas.fill { column, row in
            let field = 64 - abs(2 * row - height) * 32 / max(1, height)
            // The colour planes have half the size and are read at even columns and rows.
            let covered = Int(card.coverage[min(row, height - 1) * card.width + min(column, card.width - 1)])
            func blended(_ background: Int, _ letter: Int) -> UInt8 {
                UInt8(clamping: background + (letter - background) * covered / 255)
            }
            return (luma: blended(field, Self.white), blue: blended(140, 128), red: blended(120, 128))
        }
        return canvas
    }

    // MARK: Silence

    private func writeSilence(
        _ encoder: Encoder, _ body: (Packet) throws(LibAVError) -> Void
    ) throws(LibAVError) {
        let sampleCount = max(1, encoder.context.pointee.frame_size)
        for index in 0..<Self.silentFrameCount {
            let silence = try Frame.silence(
                sampleCount: sampleCount, format: AV_SAMPLE_FMT_FLTP,
                sampleRate: encoder.context.pointee.sample_rate, layout: &encoder.context.pointee.ch_layout)
            silence.presentationTime = index * Int64(sampleCount)
            try encoder.encode(silence, body)
        }
        try encoder.encode(nil, body)
    }
}

extension Frame {
    /// Sets every pixel of an 8-bit 4:2:0 frame with buffers of its own, by column and row.
    fileprivate func fill(_ color: (_ column: Int, _ row: Int) -> (luma: UInt8, blue: UInt8, red: UInt8)) {
        guard let luma = pointer.pointee.data.0, let blue = pointer.pointee.data.1, let red = pointer.pointee.data.2
        else { return }
        for row in 0..<height {
            for column in 0..<width {
                luma[row * Int(pointer.pointee.linesize.0) + column] = color(column, row).luma
            }
        }
        for row in 0..<((height + 1) / 2) {
            for column in 0..<((width + 1) / 2) {
                let found = color(column * 2, row * 2)
                blue[row * Int(pointer.pointee.linesize.1) + column] = found.blue
                red[row * Int(pointer.pointee.linesize.2) + column] = found.red
            }
        }
    }

    /// Copies another frame to a position where it fits; both are 8-bit 4:2:0.
    ///
    /// - Parameters:
    ///   - x: The left edge in pixels; even.
    ///   - y: The top edge in pixels; even.
    fileprivate func paste(_ other: Frame, x: Int, y: Int) {
        precondition(x % 2 == 0 && y % 2 == 0 && x + other.width <= width && y + other.height <= height, "it fits")
        let planes = [
            (
                pointer.pointee.data.0, pointer.pointee.linesize.0, other.pointer.pointee.data.0,
                other.pointer.pointee.linesize.0, 1
            ),
            (
                pointer.pointee.data.1, pointer.pointee.linesize.1, other.pointer.pointee.data.1,
                other.pointer.pointee.linesize.1, 2
            ),
            (
                pointer.pointee.data.2, pointer.pointee.linesize.2, other.pointer.pointee.data.2,
                other.pointer.pointee.linesize.2, 2
            ),
        ]
        for (target, targetStride, source, sourceStride, divisor) in planes {
            guard let target, let source else { continue }
            for row in 0..<(other.height / divisor) {
                memcpy(
                    target + (y / divisor + row) * Int(targetStride) + x / divisor, source + row * Int(sourceStride),
                    other.width / divisor)
            }
        }
    }
}
