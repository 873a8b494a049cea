package import Codecs

/// What a track's packets carry, as its SDP says.
package struct RTPTrackFormat: Sendable, Hashable {
    package enum Payload: Sendable, Hashable {
        /// The configuration is `nil` where parameter sets come in band.
        case h264(H264Configuration?)
        case aac(AACConfiguration, AACDepacketizer.HeaderLayout)
    }

    package var payloadType: UInt8
    /// Ticks a second, never zero.
    package var clockRate: UInt32
    package var payload: Payload

    package init(payloadType: UInt8, clockRate: UInt32, payload: Payload) {
        self.payloadType = payloadType
        self.clockRate = clockRate
        self.payload = payload
    }

    package var configuration: CodecConfiguration? {
        switch payload {
        case .h264(let configuration): configuration.map(CodecConfiguration.h264)
        case .aac(let configuration, _): .aac(configuration)
        }
    }

    var isReordered: Bool {
        switch payload {
        case .h264: true
        case .aac: false
        }
    }
}
