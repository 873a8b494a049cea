import CLibAV
import LibAV

/// Transcodes audio to AAC.
final class AudioEncodingRoute: BroadcastRoute {
    private let decoder: Decoder
    private let encoder: BroadcastAudioEncoder
    private let timeBase: AVRational

    init(
        _ info: StreamInfo, of source: any PacketSource, encoder: BroadcastAudioEncoder
    ) throws(LibAVError) {
        let stream = source.stream(info)
        self.encoder = encoder
        timeBase = stream.pointee.time_base
        decoder = try Decoder(stream, codecName: info.codecName, file: source.name, threadCount: 1)
    }

    func accept(_ packet: Packet?, shift: Int64) throws(LibAVError) {
        try decoder.decode(packet) { frame throws(LibAVError) in
            guard let ticks = frame.bestEffortTime else { return }
            try encoder.encode(frame, at: rescale(ticks, from: timeBase, to: microseconds) &+ shift)
        }
        if packet == nil { decoder.flush() }
    }

    func finish() throws(LibAVError) { try encoder.finish() }
}
