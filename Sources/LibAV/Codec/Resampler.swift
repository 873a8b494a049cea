import CLibAV

/// Converts decoded audio to frames of the size, rate and channels that an encoder takes, and keeps them on the
/// source's timeline: short gaps become silence, overlaps are dropped. Belongs to one thread.
package final class Resampler {
    /// The deviation in seconds that is left alone: timestamps of ordinary files are off by less, and a longer gap
    /// would be audible.
    static let toleratedDriftSeconds = 0.1
    /// The longest gap in seconds that is filled with silence; a longer one stays a gap, so that one bad timestamp does
    /// not cause an hour of silence.
    static let maximumSilenceSeconds = 30.0

    private let sampleRate: Int
    private let frameSampleCount: Int
    private var layout = AVChannelLayout()
    private let file: String
    private let fifo: OpaquePointer
    private var context: OpaquePointer?
    private var sourceShape: SourceShape?
    /// The presentation time of the first sample in the queue, in samples; `nil` before the first frame.
    private var queueTime: Int64?
    /// The clock drift; `nil` if timestamps and samples are counted by the same clock, as in files.
    private var drift: ClockDrift?

    private struct SourceShape: Equatable {
        var sampleRate: Int32
        var format: Int32
        var channelCount: Int32
        var channelMask: UInt64
    }

    /// Creates a resampler for an encoder's sample rate, channels and frame size.
    ///
    /// - Parameters:
    ///   - encoder: The encoder that takes the frames.
    ///   - file: The file to name in errors.
    ///   - followsDrift: Whether the source's samples are counted by another clock than its timestamps, as with
    ///     microphones: the difference is then spread over many samples, long before it becomes a gap.
    package init(_ encoder: Encoder, file: String, followsDrift: Bool = false) throws(LibAVError) {
        self.file = file
        sampleRate = Int(encoder.context.pointee.sample_rate)
        if followsDrift { drift = ClockDrift(sampleRate: sampleRate) }
        frameSampleCount = max(1, Int(encoder.context.pointee.frame_size))
        let channelCount = encoder.context.pointee.ch_layout.nb_channels
        guard let fifo = libav.av_audio_fifo_alloc(AV_SAMPLE_FMT_FLTP, channelCount, Int32(frameSampleCount * 4)) else {
            throw LibAVError(.outOfMemory, file: file, "ran out of memory for audio")
        }
        self.fifo = fifo
        libav.av_channel_layout_default(&layout, channelCount)
    }

    deinit {
        libav.swr_free(&context)
        libav.av_audio_fifo_free(fifo)
        libav.av_channel_layout_uninit(&layout)
    }

    /// Converts one frame and passes on the full frames that become ready.
    ///
    /// - Parameters:
    ///   - source: Decoded samples.
    ///   - time: The presentation time of the first sample, in output samples; `nil` if the file does not say.
    ///   - body: Gets each full frame, with its presentation time in samples.
    package func convert(
        _ source: Frame, at time: Int64?, _ body: (Frame) throws(LibAVError) -> Void
    ) throws(LibAVError) {
        try followShape(of: source)
        if let time, try !alignQueue(to: time, byteCountOf: source) { return }
        if queueTime == nil { queueTime = time ?? 0 }
        try append(source)
        try takeFrames(atLeast: frameSampleCount, body)
    }

    /// Passes on the remaining samples; the last frame is shorter than the others.
    package func finish(_ body: (Frame) throws(LibAVError) -> Void) throws(LibAVError) {
        if context != nil { try append(nil) }
        try takeFrames(atLeast: frameSampleCount, body)
        try takeFrames(atLeast: 1, body)
    }

    private func followShape(of source: Frame) throws(LibAVError) {
        let frame = source.pointer
        if frame.pointee.ch_layout.nb_channels > 0, frame.pointee.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC {
            // WAV and old AVI files often name no channel layout; the default layout for the number of channels is what
            // was meant.
            libav.av_channel_layout_default(&frame.pointee.ch_layout, frame.pointee.ch_layout.nb_channels)
        }
        let shape = SourceShape(
            sampleRate: frame.pointee.sample_rate,
            format: frame.pointee.format,
            channelCount: frame.pointee.ch_layout.nb_channels,
            channelMask: frame.pointee.ch_layout.u.mask
        )
        guard shape != sourceShape else { return }
        if context != nil { try append(nil) }
        sourceShape = shape
        libav.swr_free(&context)
        var result = libav.swr_alloc_set_opts2(
            &context, &layout, AV_SAMPLE_FMT_FLTP, Int32(sampleRate), &frame.pointee.ch_layout,
            AVSampleFormat(shape.format), shape.sampleRate, 0, nil)
        if result >= 0 { result = libav.swr_init(context) }
        // Starts the filter that corrections need; starting it at the first correction would be audible.
        if result >= 0, drift != nil { result = libav.swr_set_compensation(context, 0, 0) }
        guard result >= 0 else {
            throw LibAVError(result: result, doing: "converting its audio", file: file, as: .codecUnsupported)
        }
    }

    /// Fills a gap or starts a drift correction. Returns false if the whole frame lies before what is already queued.
    private func alignQueue(to time: Int64, byteCountOf source: Frame) throws(LibAVError) -> Bool {
        guard let queueTime else { return true }
        let queued = Int64(libav.av_audio_fifo_size(fifo))
        let deviation = time - (queueTime + queued)
        let tolerated = Int64(Double(sampleRate) * Self.toleratedDriftSeconds)
        let rate = max(1, Int64(source.pointer.pointee.sample_rate))
        let length = Int64(source.pointer.pointee.nb_samples) * Int64(sampleRate) / rate
        if deviation > tolerated {
            drift?.reset()
            guard deviation <= Int64(Double(sampleRate) * Self.maximumSilenceSeconds) else {
                self.queueTime = time - queued
                return true
            }
            try appendSilence(sampleCount: Int(deviation))
        } else if deviation < -tolerated {
            drift?.reset()
            return deviation + length > 0
        } else if let correction = drift?.correction(drift: deviation, sampleCount: Int(length)) {
            _ = libav.swr_set_compensation(context, correction.delta, correction.distance)
        }
        return true
    }

    private func appendSilence(sampleCount: Int) throws(LibAVError) {
        var left = sampleCount
        while left > 0 {
            let frame = try outputFrame(sampleCount: min(left, frameSampleCount))
            let count = frame.pointer.pointee.nb_samples
            _ = libav.av_samples_set_silence(
                frame.pointer.pointee.extended_data, 0, count, layout.nb_channels, AV_SAMPLE_FMT_FLTP)
            try enqueue(frame, sampleCount: count)
            left -= Int(count)
        }
    }

    private func append(_ source: Frame?) throws(LibAVError) {
        let inputCount = source?.pointer.pointee.nb_samples ?? 0
        let capacity = libav.swr_get_out_samples(context, inputCount)
        guard capacity > 0 else { return }
        let frame = try outputFrame(sampleCount: Int(capacity))
        let input = source.flatMap { UnsafeMutableRawPointer($0.pointer.pointee.extended_data) }
        let count = libav.swr_convert(
            context, frame.pointer.pointee.extended_data, capacity,
            input?.assumingMemoryBound(to: UnsafePointer<UInt8>?.self), inputCount)
        guard count >= 0 else {
            throw LibAVError(result: count, doing: "converting its audio", file: file, as: .damaged)
        }
        try enqueue(frame, sampleCount: count)
    }

    private func enqueue(_ frame: Frame, sampleCount: Int32) throws(LibAVError) {
        guard sampleCount > 0 else { return }
        let planes = UnsafeMutableRawPointer(frame.pointer.pointee.extended_data)
        let written = libav.av_audio_fifo_write(
            fifo, planes?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self), sampleCount)
        guard written == sampleCount else {
            throw LibAVError(.outOfMemory, file: file, "ran out of memory for audio")
        }
    }

    private func takeFrames(
        atLeast minimum: Int, _ body: (Frame) throws(LibAVError) -> Void
    ) throws(LibAVError) {
        while case let available = Int(libav.av_audio_fifo_size(fifo)), available >= minimum {
            let count = min(available, frameSampleCount)
            let frame = try outputFrame(sampleCount: count)
            let planes = UnsafeMutableRawPointer(frame.pointer.pointee.extended_data)
            guard
                libav.av_audio_fifo_read(
                    fifo, planes?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self), Int32(count)) == count
            else { throw LibAVError(.outOfMemory, file: file, "ran out of memory for audio") }
            let time = queueTime ?? 0
            frame.presentationTime = time
            queueTime = time + Int64(count)
            try body(frame)
        }
    }

    private func outputFrame(sampleCount: Int) throws(LibAVError) -> Frame {
        let frame = try Frame()
        frame.pointer.pointee.nb_samples = Int32(clamping: sampleCount)
        frame.pointer.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
        frame.pointer.pointee.sample_rate = Int32(clamping: sampleRate)
        var result = libav.av_channel_layout_copy(&frame.pointer.pointee.ch_layout, &layout)
        if result >= 0 { result = libav.av_frame_get_buffer(frame.pointer, 0) }
        guard result >= 0 else { throw LibAVError(.outOfMemory, file: file, "ran out of memory for audio") }
        return frame
    }
}
