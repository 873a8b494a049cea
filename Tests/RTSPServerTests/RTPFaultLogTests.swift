import LogMetadata
import RTPTransport
import Testing

@testable import RTSPServer

struct RTPFaultLogTests {
    @Test func namesThePacketAsWiresharkShowsIt() {
        let packet = RTPPacketIdentity(
            synchronizationSource: 0xAB_CDEF, sequenceNumber: 65_535, rtpTimestamp: 4_294_967_295)
        let fault = RTPFault(.restarted, trackIndex: 1, packet: packet)
        #expect(
            fault.logValues.mapValues { "\($0)" } == [
                .rtpTrack: "1", .rtpSSRC: "0x00abcdef", .rtpSequenceNumber: "65535", .rtpTimestamp: "4294967295",
            ])
    }

    @Test func withoutAHeaderOnlyTheTrackIsKnown() {
        let fault = RTPFault(.parsing(RTPParsingError(.truncated, "RTP header")), trackIndex: 0, packet: nil)
        #expect(fault.logValues.mapValues { "\($0)" } == [.rtpTrack: "0"])
    }
}
