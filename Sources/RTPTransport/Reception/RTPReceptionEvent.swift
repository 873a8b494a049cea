package import Codecs
package import MediaCore

/// An event that a session's packets caused.
package enum RTPReceptionEvent: Sendable {
    case unit(AccessUnit, trackIndex: Int)
    /// Parameter sets that arrived in band and differ from the previous ones.
    case configuration(CodecConfiguration, trackIndex: Int)
    case lost(packetCount: Int, trackIndex: Int)
    /// The source started a new series of sequence numbers.
    case restarted(trackIndex: Int)
    /// The publisher's clock jumped by `nanoseconds`; the media times continue without a jump.
    case clockJumped(nanoseconds: Int64, trackIndex: Int)
    /// A packet could not be used; the frame that it belongs to is dropped. The string describes the reason.
    case malformed(String, trackIndex: Int)
    /// A packet arrived whose payload type was not announced.
    case unexpectedPayloadType(UInt8, trackIndex: Int)
    /// A media time, and the publisher's wall-clock time for it.
    case wallClock(nanosecondsSince1970: Int64, mediaTime: MediaTime, trackIndex: Int)
    case bye(trackIndex: Int)
}
