import Codecs

extension ForeignCodec {
    var number: UInt8 {
        switch self {
        case .pcmMuLaw: 0
        case .pcmALaw: 1
        case .g722: 2
        case .linearPCM: 3
        case .adaptiveMultiRate: 4
        case .mpegAudio: 5
        case .h263: 6
        case .vp8: 7
        case .vp9: 8
        case .opus: 9
        }
    }

    init?(number: UInt8, sampleRate: Int, channelCount: Int) {
        switch number {
        case 0: self = .pcmMuLaw(sampleRate: sampleRate, channelCount: channelCount)
        case 1: self = .pcmALaw(sampleRate: sampleRate, channelCount: channelCount)
        case 2: self = .g722
        case 3: self = .linearPCM(sampleRate: sampleRate, channelCount: channelCount)
        case 4: self = .adaptiveMultiRate
        case 5: self = .mpegAudio(sampleRate: sampleRate, channelCount: channelCount)
        case 6: self = .h263
        case 7: self = .vp8
        case 8: self = .vp9
        case 9: self = .opus(channelCount: channelCount)
        default: return nil
        }
    }
}
