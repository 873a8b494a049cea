/// A fault of a publisher, with what finds the packet in a capture.
package struct RTPFault: Error, Hashable, CustomStringConvertible {
    /// The cause of the fault.
    package enum Cause: Hashable, Sendable {
        /// The bytes are not a valid RTP or RTCP packet; they are dropped.
        case parsing(RTPParsingError)
        /// The payload cannot be used; the frame that it belongs to is dropped.
        case depacketization(DepacketizationError)
        /// The payload type was not announced; the packet is ignored.
        case unexpectedPayloadType(UInt8)
        /// The source started a new series of sequence numbers.
        case restarted
        /// The publisher's clock jumped by `nanoseconds`; the media times continue without a jump.
        case clockJumped(nanoseconds: Int64)
    }

    /// Causes that are reported together.
    package enum Kind: Hashable, Sendable {
        case malformed
        case payloadType
        case restart
        case clock
    }

    package var cause: Cause
    /// Position of the track among the receivers.
    package var trackIndex: Int
    /// The first packet at fault; `nil` for RTCP, and if not even the packet's header can be read.
    package var packet: RTPPacketIdentity?

    package init(_ cause: Cause, trackIndex: Int, packet: RTPPacketIdentity?) {
        self.cause = cause
        self.trackIndex = trackIndex
        self.packet = packet
    }

    package var kind: Kind {
        switch cause {
        case .parsing, .depacketization: .malformed
        case .unexpectedPayloadType: .payloadType
        case .restarted: .restart
        case .clockJumped: .clock
        }
    }

    /// Human-readable description, for operators.
    package var description: String {
        switch cause {
        case .parsing(let error): "track \(trackIndex): \(error)"
        case .depacketization(let error): "track \(trackIndex): \(error)"
        case .unexpectedPayloadType(let type):
            "track \(trackIndex) sends payload type \(type), which was not announced"
        case .restarted: "the source of track \(trackIndex) restarted"
        case .clockJumped(let nanoseconds):
            "the clock of track \(trackIndex) jumped by \(nanoseconds / 1_000_000) ms; playback continues"
        }
    }
}
