package import Codecs
package import MediaCore

/// The payload format in which a track is sent.
package enum RTPPayloadFormat: Sendable, Hashable {
    case h264(H264Configuration)
    case hevc(HEVCConfiguration)
    case av1(AV1Configuration)
    case aac(AACConfiguration)
    case opus(channelCount: Int)
    case foreign(ForeignCodec)

    /// The payload format for a codec; `nil` if the track's parameters are not known yet, or if its codec has no
    /// payload format here.
    package init?(configuration: CodecConfiguration?, foreignCodec: ForeignCodec?) {
        if let foreignCodec {
            self = .foreign(foreignCodec)
        } else if case .h264(let configuration)? = configuration {
            self = .h264(configuration)
        } else if case .hevc(let configuration)? = configuration {
            self = .hevc(configuration)
        } else if case .av1(let configuration)? = configuration {
            self = .av1(configuration)
        } else if case .aac(let configuration)? = configuration {
            self = .aac(configuration)
        } else if case .opus(let configuration)? = configuration, configuration.channelMapping == nil {
            self = .opus(channelCount: configuration.channelCount)
        } else {
            return nil
        }
    }

    package var mediaType: MediaType {
        switch self {
        case .h264, .hevc, .av1: .video
        case .aac, .opus: .audio
        case .foreign(let codec): codec.isVideo ? .video : .audio
        }
    }

    /// Whether a reader that knows this format also understands packets of the other one, because they carry all
    /// differences themselves.
    package func isContinued(by other: RTPPayloadFormat) -> Bool {
        switch (self, other) {
        case (.h264, .h264), (.hevc, .hevc), (.av1, .av1): true
        default: self == other
        }
    }

    /// The clock that the payload format prescribes, whatever the track's own timescale is.
    package var clock: Timescale {
        switch self {
        case .h264, .hevc, .av1: .video90kHz
        case .aac(let configuration): Self.clock(ofSampleRate: configuration.sampleRate)
        // The clock rate is fixed, whatever the sampling rate (RFC 7587 §4.1).
        case .opus: Timescale(48_000)
        case .foreign(let codec): Self.clock(of: codec)
        }
    }

    private static func clock(of codec: ForeignCodec) -> Timescale {
        switch codec {
        case .pcmMuLaw(let rate, _), .pcmALaw(let rate, _), .linearPCM(let rate, _): clock(ofSampleRate: rate)
        case .g722, .adaptiveMultiRate: Timescale(8_000)
        case .opus: Timescale(48_000)
        case .mpegAudio, .h263, .vp8, .vp9: .video90kHz
        }
    }

    private static func clock(ofSampleRate rate: Int) -> Timescale {
        Timescale(checking: UInt32(clamping: rate)) ?? Timescale(8_000)
    }
}
