/// The identity of an RTP packet in a capture.
package struct RTPPacketIdentity: Hashable, Sendable {
    package var synchronizationSource: UInt32
    package var sequenceNumber: UInt16
    package var rtpTimestamp: UInt32

    package init(synchronizationSource: UInt32, sequenceNumber: UInt16, rtpTimestamp: UInt32) {
        self.synchronizationSource = synchronizationSource
        self.sequenceNumber = sequenceNumber
        self.rtpTimestamp = rtpTimestamp
    }
}
