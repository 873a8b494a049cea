/// An element of the data on a connection: a message, or a binary frame between messages.
package enum RTSPElement: Hashable, Sendable {
    case request(RTSPRequest)
    case response(RTSPResponse)
    case interleavedFrame(InterleavedFrame)
}
