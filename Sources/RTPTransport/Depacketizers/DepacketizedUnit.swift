package import MediaCore
import NIOCore

/// A frame of video or audio, with timestamps of the publisher's clock.
package struct DepacketizedUnit: Sendable {
    /// The timestamp of the packets, which wraps at 32 bits.
    package var rtpTimestamp: UInt32
    /// Ticks to add to `rtpTimestamp`: a packet with several audio frames has the timestamp of the first.
    package var tickOffset: Int64
    /// Whether decoding can start at this unit.
    package var isRandomAccessPoint: Bool
    /// Whether the frame is complete only with frames before the newest random access point; see `AccessUnit`.
    package var refersBack = false
    /// Whether units before this one were dropped.
    package var followsGap: Bool
    package var payload: SamplePayload
}

extension DepacketizedUnit {
    /// Creates a unit for an audio frame. Each is a random access point, because audio frames can be decoded on their
    /// own, or nearly so.
    static func audio(_ frame: ByteBuffer, rtpTimestamp: UInt32, tickOffset: Int64 = 0) -> DepacketizedUnit {
        DepacketizedUnit(
            rtpTimestamp: rtpTimestamp, tickOffset: tickOffset, isRandomAccessPoint: true, followsGap: false,
            payload: .frame(frame))
    }
}
