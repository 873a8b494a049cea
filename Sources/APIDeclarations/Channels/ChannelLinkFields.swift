package import APIContract

/// The fields of the line to a publisher, as its protocol measures it.
package struct ChannelLinkFields: ObjectFields {
    package static let name = "ChannelLink"
    package static let fields = ChannelLinkFields()

    package let roundTripMilliseconds = Field<Double>(
        "roundTripMilliseconds", "time to the publisher and back, in milliseconds")
    package let lostPackets = Field<Int>("lostPackets", "packets that did not arrive at first")
    package let retransmittedPackets = Field<Int>(
        "retransmittedPackets", "packets that the publisher sent again")
    package let droppedPackets = Field<Int>(
        "droppedPackets", "packets that arrived too late or never")

    package init() {}
}
