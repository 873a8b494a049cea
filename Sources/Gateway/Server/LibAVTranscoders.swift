import Codecs
import LibAV
import LiveChannels
import MediaCore

/// Live transcoding by libav, which is loaded when the first publisher needs it.
struct LibAVTranscoders: LiveTranscoderFactory {
    func makeTranscoder(
        for codec: ForeignCodec, timescale: Timescale, onOutput: @escaping @Sendable (LiveTranscoderOutput) -> Void
    ) throws -> any LiveTranscoder {
        try LibAVLiveTranscoder(codec: codec, timescale: timescale) { output in
            switch output {
            case .configuration(let configuration, let timescale): onOutput(.configuration(configuration, timescale))
            case .unit(let unit): onOutput(.unit(unit))
            case .failed(let reason): onOutput(.failed(reason))
            }
        }
    }
}

extension LibAVLiveTranscoder: LiveTranscoder {}
