/// A thing that a server says.
package enum RTMPClientEvent: Sendable, Hashable {
    /// The server takes the stream, or begins to play it.
    case started
    /// The server has refused, in its words.
    case refused(String)
    /// A tag or metadata of the stream that is played.
    case content(RTMPEvent)
    /// The stream has ended, in the words of the server.
    case ended(String)
}
