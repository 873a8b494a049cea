/// An address on which the server cannot listen.
package struct RTSPListenerError: Error, CustomStringConvertible {
    /// The listener that failed.
    package enum Listener: Sendable {
        case plain
        /// The listener for RTSP over TLS.
        case secure
    }

    package let listener: Listener
    /// The error from NIO.
    package let cause: any Error

    package var description: String {
        "the \(listener == .plain ? "RTSP" : "RTSPS") listener cannot be opened: \(cause)"
    }
}
