package import NIOCore

/// A thing that a transport stream says.
package enum TSEvent: Sendable, Hashable {
    /// The streams of the programme, at the beginning and when they have changed.
    case streams([TSStream])
    /// A frame, or some of audio.
    case frame(TSFrame)
    /// A section of splice information (SCTE 35) with its checksum left out.
    case splice(ByteBuffer, identifier: UInt16)
}
