/// The reason for the end of a connection.
package enum RTMPCloseReason: String, Sendable, CaseIterable {
    case unpublished
    case peerClosed = "peer-closed"
    case protocolError = "protocol-error"
    case refused
    case setUpTimeout = "set-up-timeout"
    case silence
    case evicted
    case kicked
    case shutdown
    case ioError = "io-error"
    case playbackEnded = "playback-ended"
    case playerTooSlow = "player-too-slow"

    /// Whether the publisher or an operator ended the push intentionally, so that viewers need not wait for its return.
    var isIntended: Bool {
        switch self {
        case .unpublished, .kicked, .shutdown: true
        case .peerClosed, .protocolError, .refused, .setUpTimeout, .silence, .evicted, .ioError, .playbackEnded,
            .playerTooSlow:
            false
        }
    }

    /// Human-readable reason, for operators.
    var explained: String {
        switch self {
        case .unpublished: "the publisher ended the push"
        case .peerClosed: "the publisher closed the connection"
        case .protocolError: "the publisher sent data that is not RTMP"
        case .refused: "the push was refused"
        case .setUpTimeout: "nothing was published or played for too long"
        case .silence: "nothing was received from the publisher for too long"
        case .evicted: "the connection was closed to make room for another one"
        case .kicked: "an operator ended the push"
        case .shutdown: "the server is shutting down"
        case .ioError: "the connection broke"
        case .playbackEnded: "playback has ended"
        case .playerTooSlow: "the player did not keep up"
        }
    }
}
