import MediaCore
import RTPTransport
import RTSPProtocol
import SessionDescription

/// One track of a push: what is announced of it, and its packets.
struct PushTrack {
    let mediaType: MediaType
    private(set) var packetizer: RTPPacketizer

    /// - Parameters:
    ///   - index: of the track in the session: its channels are twice that, and the next.
    ///   - timescale: of the units' times.
    init(
        _ format: RTPPayloadFormat, index: Int, timescale: Timescale,
        using generator: inout some RandomNumberGenerator
    ) {
        mediaType = format.mediaType
        let stream = RTPPacketStream(
            payloadType: format.payloadType(trackIndex: index), clock: format.clock,
            channel: UInt8(clamping: 2 * index),
            using: &generator)
        packetizer = RTPPacketizer(format: format, timescale: timescale, stream: stream)
    }

    /// RTCP's channel.
    var reportChannel: UInt8 { packetizer.stream.channel + 1 }

    func mediaDescription(index: Int) -> SDPMediaDescription {
        packetizer.format.mediaDescription(
            payloadType: packetizer.stream.payloadType, clock: packetizer.stream.clock, control: "trackID=\(index)")
    }

    mutating func packetize(_ unit: AccessUnit) -> RTPPacketBatch { packetizer.packetize(unit) }
    mutating func update(_ format: RTPPayloadFormat) { packetizer.update(format) }
}
