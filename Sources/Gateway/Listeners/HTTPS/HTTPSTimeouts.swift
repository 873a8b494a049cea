import HLSDelivery

/// Timeouts of the HTTPS port. Idle HTTP/1.1 connections are handled by `MediaDeliveryHandler`.
struct HTTPSTimeouts: Sendable {
    /// Time from the connection to the end of the handshake; the same as for an RTSP connection's first request.
    var handshake = Duration.seconds(10)
    /// Time after which an HTTP/2 connection without a stream is closed; the same as for HTTP/1.1 without a request.
    var idle = MediaDeliveryHandler.idleTimeout
    /// Silence after which an HTTP/2 client is pinged; longer than any blocking playlist request, so that players are
    /// not pinged.
    var keepalive = Duration.seconds(60)
    /// Time to answer a ping; a phone that has changed networks does not answer.
    var keepaliveAnswer = Duration.seconds(20)
    /// Time from a GOAWAY to the end of the connection, for streams that are still open; a client that is gone does not
    /// end them.
    var closing = Duration.seconds(30)
}
