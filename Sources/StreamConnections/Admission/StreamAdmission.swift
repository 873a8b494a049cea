package import MediaCore
package import NIOCore

/// Asks the accounts of the server who may push and who may play, whatever the protocol.
package protocol StreamAdmission: Sendable {
    /// Whether everybody may play something. Called on event loops, so it must not wait.
    ///
    /// - Parameter subject: what it is; `nil` at a path at which there can be nothing.
    func isForEveryone(_ subject: MediaSubject?) -> Bool

    /// Whether a rental with which somebody plays has ended before its time. Called on event loops, so it must not
    /// wait; and often as long as somebody plays, who is one of the rental's players meanwhile.
    ///
    /// - Parameters:
    ///   - rental: the rental.
    ///   - peer: the address of the connection; `nil` in tests without sockets.
    func isEndedEarly(_ rental: StreamRental, from peer: SocketAddress?) -> Bool

    /// Whether something was hidden after somebody had begun to play it. Called on event loops, so it must not wait.
    func isHidden(_ subject: MediaSubject?) -> Bool

    /// The passphrase with which a publisher encrypts whose link has one of its own. Called on threads of libraries, so
    /// it must not wait.
    ///
    /// - Parameter credential: what the publisher has sent. It has not been checked.
    /// - Returns: `nil` for what is no link.
    func passphrase(for credential: StreamCredential) -> String?

    /// Whether somebody may push to a channel.
    ///
    /// - Parameters:
    ///   - credential: what the publisher has sent. It has not been checked.
    ///   - channel: the channel's name.
    ///   - peer: the address of the connection; `nil` in tests without sockets.
    func decide(
        _ credential: StreamCredential, channel: String, from peer: SocketAddress?
    ) async -> StreamAdmissionDecision

    /// Whether somebody may play what may not be for everyone.
    ///
    /// - Parameters:
    ///   - credential: what the reader has sent, which has not been checked; `nil` if nothing.
    ///   - subject: what the reader wants to play; `nil` at a path at which there can be nothing.
    ///   - path: its path, as it was requested.
    ///   - peer: the address of the connection; `nil` in tests without sockets.
    func decide(
        _ credential: StreamCredential?, playing subject: MediaSubject?, at path: String, from peer: SocketAddress?
    ) async -> StreamAdmissionDecision
}

extension StreamAdmission {
    package func passphrase(for credential: StreamCredential) -> String? { nil }
}
