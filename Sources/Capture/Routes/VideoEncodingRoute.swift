import CLibAV
import LibAV

/// Transcodes video to the preset's format.
final class VideoEncodingRoute: BroadcastRoute {
    private let decoder: Decoder
    private let encoder: BroadcastVideoEncoder
    private let source: any PacketSource
    private let info: StreamInfo
    private let rotation: FrameRotation
    /// True if a frame with that time would be too late.
    private let isLate: (Int64) -> Bool

    init(
        _ info: StreamInfo, of source: any PacketSource, encoder: BroadcastVideoEncoder, threadCount: Int,
        isLate: @escaping (Int64) -> Bool
    ) throws(LibAVError) {
        self.info = info
        self.source = source
        self.encoder = encoder
        self.isLate = isLate
        let stream = source.stream(info)
        decoder = try Decoder(stream, codecName: info.codecName, file: source.name, threadCount: threadCount)
        rotation = FrameRotation(of: stream)
    }

    func accept(_ packet: Packet?, shift: Int64) throws(LibAVError) {
        let stream = source.stream(info)
        try decoder.decode(packet) { frame throws(LibAVError) in
            guard let ticks = frame.bestEffortTime else { return }
            let time = rescale(ticks, from: stream.pointee.time_base, to: microseconds) &+ shift
            guard !isLate(time) else { return }
            let ratio = libav.av_guess_sample_aspect_ratio(source.context, stream, frame.pointer).positive?.value
            try encoder.encode(frame, at: time, pixelRatio: ratio ?? 1, rotation: rotation)
        }
        if packet == nil { decoder.flush() }
    }

    func finish() throws(LibAVError) { try encoder.finish() }
}
