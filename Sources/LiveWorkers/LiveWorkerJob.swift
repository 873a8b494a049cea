import Codecs
import MediaCore
import Transcoding

/// The work of a live worker.
enum LiveWorkerJob: Sendable {
    /// One track in a codec that HLS does not carry.
    case track(ForeignCodec, Timescale)
    /// The lower qualities of a channel's video.
    case ladder(LiveLadderRequest)

    /// The message with which the work begins.
    var request: LiveWorkerRequest {
        switch self {
        case .track(let codec, let timescale): .begin(codec, timescale)
        case .ladder(let ladder): .beginLadder(ladder)
        }
    }

    var timescale: Timescale {
        switch self {
        case .track(_, let timescale): timescale
        case .ladder(let ladder): ladder.timescale
        }
    }

    var isVideo: Bool {
        switch self {
        case .track(let codec, _): codec.isVideo
        case .ladder: true
        }
    }

    /// The number of qualities that the worker may send.
    var rungCount: Int {
        switch self {
        case .track: 0
        case .ladder(let ladder): ladder.rungs.count
        }
    }

    var limits: LiveTranscodingLimits {
        switch self {
        case .track: .standard
        case .ladder: .ladder
        }
    }

    var processorLimits: LiveWorkerProcessorBudget.Limits {
        switch self {
        case .track(let codec, _): codec.isVideo ? .video : .audio
        case .ladder(let ladder): .ladder(rungCount: ladder.rungs.count)
        }
    }
}
