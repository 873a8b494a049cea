/// The reason for the end of a connection.
package enum SRTCloseReason: String, Sendable, CaseIterable {
    case unpublished
    case peerClosed = "peer-closed"
    case protocolError = "protocol-error"
    case refused
    case silence
    case kicked
    case shutdown
    case playbackEnded = "playback-ended"

    /// Whether an operator ended the push intentionally, so that viewers need not wait for its return.
    var isIntended: Bool {
        switch self {
        case .unpublished, .kicked, .shutdown: true
        case .peerClosed, .protocolError, .refused, .silence, .playbackEnded: false
        }
    }

    /// Human-readable reason, for operators.
    var explained: String {
        switch self {
        case .unpublished: "the publisher ended the push"
        case .peerClosed: "the connection was closed or lost"
        case .protocolError: "the publisher sent data that is not MPEG-TS"
        case .refused: "the push was refused"
        case .silence: "nothing was received from the publisher for too long"
        case .kicked: "an operator ended the push"
        case .shutdown: "the server is shutting down"
        case .playbackEnded: "playback has ended"
        }
    }
}
