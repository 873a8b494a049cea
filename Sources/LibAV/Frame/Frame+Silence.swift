package import CLibAV

extension Frame {
    /// Allocates an audio frame of silence.
    package static func silence(
        sampleCount: Int32, format: AVSampleFormat, sampleRate: Int32, layout: UnsafePointer<AVChannelLayout>
    ) throws(LibAVError) -> Frame {
        let frame = try Frame()
        frame.pointer.pointee.nb_samples = sampleCount
        frame.pointer.pointee.format = format.rawValue
        frame.pointer.pointee.sample_rate = sampleRate
        var result = libav.av_channel_layout_copy(&frame.pointer.pointee.ch_layout, layout)
        if result >= 0 { result = libav.av_frame_get_buffer(frame.pointer, 0) }
        if result >= 0 {
            result = libav.av_samples_set_silence(
                frame.pointer.pointee.extended_data, 0, sampleCount, layout.pointee.nb_channels, format)
        }
        guard result >= 0 else { throw LibAVError(.outOfMemory, file: nil, "ran out of memory for audio") }
        return frame
    }
}
