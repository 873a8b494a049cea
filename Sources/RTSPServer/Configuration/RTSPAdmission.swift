package import NIOCore

/// Asks the accounts of the server who may push and who may play by RTSP.
package protocol RTSPAdmission: Sendable {
    /// Whether everybody may play a channel. Called on event loops, so it must not wait.
    func isForEveryone(channel: String) -> Bool

    /// Whether everybody may play the title or track at a path. Called on event loops, so it must not wait.
    func isForEveryone(titleAt path: String) -> Bool

    /// Whether a rental with which somebody plays has ended before its time. Called on event loops, so it must not
    /// wait; and often as long as somebody plays, who is one of the rental's players meanwhile.
    ///
    /// - Parameters:
    ///   - rental: the rental.
    ///   - peer: the address of the connection; `nil` in tests without sockets.
    func isEndedEarly(_ rental: RTSPRental, from peer: SocketAddress?) -> Bool

    /// Whether something was hidden after somebody had begun to play it. Called on event loops, so it must not wait.
    func isHidden(_ subject: RTSPPlayedSubject) -> Bool

    /// Whether somebody may push to a channel.
    ///
    /// - Parameters:
    ///   - credential: what the publisher has sent. It has not been checked.
    ///   - channel: the channel's name.
    ///   - peer: the address of the connection; `nil` in tests without sockets.
    func decide(
        _ credential: RTSPAccountCredential, channel: String, from peer: SocketAddress?
    ) async -> RTSPAdmissionDecision

    /// Whether somebody may play what may not be for everyone.
    ///
    /// - Parameters:
    ///   - credential: what the reader has sent, which has not been checked; `nil` if nothing.
    ///   - subject: what the reader wants to play.
    ///   - peer: the address of the connection; `nil` in tests without sockets.
    func decide(
        _ credential: RTSPAccountCredential?, playing subject: RTSPPlayedSubject, from peer: SocketAddress?
    ) async -> RTSPAdmissionDecision
}
