package import Codecs
package import MediaCore
package import NIOCore

/// An event that a session's packets caused.
package enum RTPReceptionEvent: Sendable {
    case unit(AccessUnit, trackIndex: Int)
    /// Parameter sets that arrived in band and differ from the previous ones.
    case configuration(CodecConfiguration, trackIndex: Int)
    case lost(packetCount: Int, trackIndex: Int)
    case fault(RTPFault)
    /// A media time, and the publisher's wall-clock time for it, with the arrival of the report that says so.
    case wallClock(nanosecondsSince1970: Int64, mediaTime: MediaTime, trackIndex: Int, arrival: NIODeadline)
    case bye(trackIndex: Int)
}
