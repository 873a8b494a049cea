/// A thing that a peer wants, or that it sends.
package enum RTMPEvent: Sendable, Hashable {
    /// The peer wants to use an application, which is answered by `RTMPServerSession.accept(_:)` or `refuse(_:)`.
    case connect(RTMPConnect)
    /// The peer wants to publish in a message stream, which is answered in the same way.
    case publish(stream: UInt32, name: String)
    /// The peer wants to play in a message stream, which is answered in the same way.
    case play(stream: UInt32, name: String)
    /// A tag of audio or video as in FLV, of the stream that is being published.
    case media(RTMPMedia)
    /// Metadata or another message for scripts, without `@setDataFrame` in front.
    case data(name: String, values: [AMF0Value], timestamp: UInt32)
    /// A stream has ended.
    case end(stream: UInt32)
}
