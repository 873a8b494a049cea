import Foundation
import LogMetadata
import Logging
import RTPTransport

extension RTPFault {
    /// The values that find the packet in a capture, for the log. SSRCs are written as Wireshark shows them.
    var logValues: LogValues {
        var values: LogValues = [.rtpTrack: "\(trackIndex)"]
        if let packet {
            values[.rtpSSRC] = "\(String(format: "0x%08x", packet.synchronizationSource))"
            values[.rtpSequenceNumber] = "\(packet.sequenceNumber)"
            values[.rtpTimestamp] = "\(packet.rtpTimestamp)"
        }
        return values
    }
}
