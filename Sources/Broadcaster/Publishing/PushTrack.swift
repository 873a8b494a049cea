import MediaCore
import RTPTransport
import RTSPProtocol
import SessionDescription

/// A published track: its announcement, and its packets.
struct PushTrack {
    let mediaType: MediaType
    private(set) var packetizer: RTPPacketizer

    /// Creates a track.
    ///
    /// - Parameters:
    ///   - index: The track's index in the session: its channels are twice that, and the next.
    ///   - timescale: The timescale of the units' times.
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

    /// The interleaved channel of RTCP.
    var reportChannel: UInt8 { packetizer.stream.channel + 1 }

    /// The track's part of the announcement.
    func mediaDescription(index: Int) -> SDPMediaDescription {
        packetizer.format.mediaDescription(
            payloadType: packetizer.stream.payloadType, clock: packetizer.stream.clock, control: "trackID=\(index)")
    }

    mutating func packetize(_ unit: AccessUnit) -> RTPPacketBatch { packetizer.packetize(unit) }
    mutating func update(_ format: RTPPayloadFormat) { packetizer.update(format) }
}
