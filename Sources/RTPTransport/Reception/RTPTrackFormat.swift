package import Codecs

/// The payload format of a track's packets according to its SDP.
package struct RTPTrackFormat: Sendable, Hashable {
    /// A payload format with the parameters from the SDP.
    package enum Payload: Sendable, Hashable {
        /// H.264. The configuration is `nil` if parameter sets arrive in band; interleaving is that of packetization
        /// mode 2.
        case h264(H264Configuration?, interleaving: NALUnitInterleaving? = nil)
        /// HEVC. The configuration is `nil` if parameter sets arrive in band; interleaving is set if units have
        /// decoding order numbers.
        case hevc(HEVCConfiguration?, interleaving: NALUnitInterleaving? = nil)
        /// AV1, whose sequence header arrives in band.
        case av1
        case aac(AACConfiguration, AACDepacketizer.HeaderLayout)
        /// AAC in LATM. The configuration is `nil` if it arrives in band (`cpresent=1`) and is not in the SDP as
        /// well.
        case latm(LATMStreamMuxConfiguration?, isInBand: Bool)
        case opus(OpusConfiguration)
        case pcmMuLaw(channelCount: Int)
        case pcmALaw(channelCount: Int)
        case g722
        case linearPCM(channelCount: Int)
        case adaptiveMultiRate(AMRDepacketizer.Layout)
        case mpegAudio
        /// MPEG audio as ADUs (RFC 5219).
        case robustMPEGAudio
        case h263(H263Depacketizer.PayloadFormat)
        case vp8
        case vp9
    }

    package var payloadType: UInt8
    /// Clock rate in ticks per second, never zero.
    package var clockRate: UInt32
    package var payload: Payload

    package init(payloadType: UInt8, clockRate: UInt32, payload: Payload) {
        self.payloadType = payloadType
        self.clockRate = clockRate
        self.payload = payload
    }

    /// The configuration of a codec that HLS supports; `nil` if the codec is a foreign one, or if its parameters
    /// arrive in band.
    package var configuration: CodecConfiguration? {
        switch payload {
        case .h264(let configuration, _): configuration.map(CodecConfiguration.h264)
        case .hevc(let configuration, _): configuration.map(CodecConfiguration.hevc)
        case .aac(let configuration, _): .aac(configuration)
        case .latm(let configuration, _): (configuration?.audio).map(CodecConfiguration.aac)
        case .opus(let configuration): .opus(configuration)
        case .av1, .pcmMuLaw, .pcmALaw, .g722, .linearPCM, .adaptiveMultiRate, .mpegAudio,
            .robustMPEGAudio, .h263, .vp8, .vp9:
            nil
        }
    }

    /// The codec, if it must be transcoded for HLS; otherwise `nil`.
    package var foreignCodec: ForeignCodec? {
        let sampleRate = Int(clockRate)
        return switch payload {
        case .pcmMuLaw(let channels): .pcmMuLaw(sampleRate: sampleRate, channelCount: channels)
        case .pcmALaw(let channels): .pcmALaw(sampleRate: sampleRate, channelCount: channels)
        case .g722: .g722
        case .linearPCM(let channels): .linearPCM(sampleRate: sampleRate, channelCount: channels)
        case .adaptiveMultiRate: .adaptiveMultiRate
        // The SDP does not state the parameters; decoders use each frame's header.
        case .mpegAudio, .robustMPEGAudio: .mpegAudio(sampleRate: 44_100, channelCount: 2)
        case .h263: .h263
        case .vp8: .vp8
        case .vp9: .vp9
        case .h264, .hevc, .av1, .aac, .latm, .opus: nil
        }
    }

    var isReordered: Bool {
        switch payload {
        case .h264, .hevc: true
        default: false
        }
    }

    var isVideo: Bool {
        switch payload {
        case .h264, .hevc, .av1, .h263, .vp8, .vp9: true
        default: false
        }
    }

    func makeDepacketizer() -> any Depacketizer {
        switch payload {
        case .h264(let configuration, let interleaving):
            H264Depacketizer(configuration: configuration, interleaving: interleaving)
        case .hevc(let configuration, let interleaving):
            HEVCDepacketizer(configuration: configuration, interleaving: interleaving)
        case .av1: AV1Depacketizer()
        case .aac(let configuration, let layout):
            AACDepacketizer(configuration: configuration, clockRate: clockRate, layout: layout)
        case .latm(let configuration, let isInBand):
            LATMDepacketizer(configuration: configuration, isInBand: isInBand, clockRate: clockRate)
        case .opus, .g722: WholePacketDepacketizer()
        case .pcmMuLaw(let channels), .pcmALaw(let channels):
            WholePacketDepacketizer(bytesPerSample: channels)
        case .linearPCM(let channels): WholePacketDepacketizer(bytesPerSample: 2 * channels)
        case .adaptiveMultiRate(let layout): AMRDepacketizer(layout: layout)
        case .mpegAudio: MPEGAudioDepacketizer(clockRate: clockRate)
        case .robustMPEGAudio: RobustMPEGAudioDepacketizer(clockRate: clockRate)
        case .h263(let format): H263Depacketizer(format: format)
        case .vp8: VP8Depacketizer()
        case .vp9: VP9Depacketizer()
        }
    }
}
