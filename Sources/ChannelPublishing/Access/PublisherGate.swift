package import LiveChannels
import MediaCore
package import NIOCore
import RTSPProtocol
package import StreamConnections
import Synchronization

/// Decides who may push to a channel, for protocols that show a username and a password, or a token. Attempts of those
/// that have failed before are delayed, so that passwords cannot be guessed.
package final class PublisherGate: Sendable {
    private let admission: (any StreamAdmission)?
    private let failures = Mutex(AuthenticationFailureLimiter())

    /// - Parameter admission: asks the accounts; `nil` for a server without any.
    package init(admission: (any StreamAdmission)?) { self.admission = admission }

    // MARK: Verdicts

    /// Decides without waiting.
    ///
    /// - Parameters:
    ///   - credential: the login, which has not been checked; `nil` if there is none.
    ///   - access: who may publish.
    ///   - peer: the address of the publisher.
    /// - Returns: `nil` if the login has to be checked first.
    package func verdict(
        without credential: StreamCredential?, _ access: PublishingPolicy.Access, from peer: SocketAddress?
    ) -> PublisherVerdict? {
        if access == .anyone { return .admitted(username: nil) }
        guard credential == nil else { return nil }
        switch access {
        case .anyone: return .admitted(username: nil)
        case .loopback: return peer?.isLoopback == true ? .admitted(username: nil) : .loopbackOnly
        case .accounts: return .credentialNeeded(takesPassword: false)
        case .credentials: return .credentialNeeded(takesPassword: true)
        }
    }

    /// Decides, after a while if the address has failed before.
    ///
    /// - Parameters:
    ///   - credential: the login, which has not been checked; `nil` if there is none.
    ///   - channel: the channel.
    ///   - peer: the address of the publisher.
    ///   - eventLoop: the event loop on which the answer comes.
    package func decide(
        _ credential: StreamCredential?, for channel: LiveChannel, from peer: SocketAddress?,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<PublisherVerdict> {
        let access = channel.configuration.publishing.access
        if let verdict = verdict(without: credential, access, from: peer) {
            return eventLoop.makeSucceededFuture(verdict)
        }
        guard let credential else { return eventLoop.makeSucceededFuture(.wrongCredential) }
        return slowly(peer, on: eventLoop) { [self, admission, name = channel.name] in
            guard let admission else {
                return eventLoop.makeSucceededFuture(check(credential, access, from: peer))
            }
            return eventLoop.makeFutureWithTask {
                await admission.decide(credential, channel: name, from: peer)
            }.map { [self] decision in
                switch decision {
                case .admitted(let username, _, _): .admitted(username: username)
                case .unavailable: .unavailable
                case .notAnAccounts: check(credential, access, from: peer)
                case .refused, .open, .rentalNeeded, .rentalOver, .tooManyPlayers: .wrongCredential
                }
            }
        }
    }

    /// Checks a login that no account has.
    private func check(
        _ credential: StreamCredential, _ access: PublishingPolicy.Access, from peer: SocketAddress?
    ) -> PublisherVerdict {
        switch (access, credential) {
        case (.loopback, _) where peer?.isLoopback == true: .admitted(username: nil)
        case (.credentials(let known), .password(let username, let secret)):
            RTSPAuthenticator.isKnown(username, secret, among: known.map(RTSPCredential.init))
                ? .admitted(username: username) : .wrongCredential
        default: .wrongCredential
        }
    }

    // MARK: Delays

    /// Makes an attempt when its time has come, and notes its outcome.
    ///
    /// - Parameters:
    ///   - peer: the address that makes the attempt.
    ///   - eventLoop: the event loop.
    ///   - attempt: the attempt.
    /// - Returns: the outcome of the attempt, or ``PublisherVerdict/tooManyAttempts`` without one.
    package func slowly(
        _ peer: SocketAddress?, on eventLoop: any EventLoop,
        _ attempt: @escaping @Sendable () -> EventLoopFuture<PublisherVerdict>
    ) -> EventLoopFuture<PublisherVerdict> {
        let address = AddressGroup(peer).description
        let outcome: EventLoopFuture<PublisherVerdict>
        switch failures.withLock({ $0.admit(address, now: eventLoop.now) }) {
        case .now: outcome = attempt()
        case .refused: return eventLoop.makeSucceededFuture(.tooManyAttempts)
        case .after(let delay): outcome = eventLoop.flatScheduleTask(in: delay) { attempt() }.futureResult
        }
        return outcome.flatMapErrorThrowing { _ in .unavailable }.map { [self] verdict in
            failures.withLock { failures in
                switch verdict {
                case .admitted: failures.succeeded(address)
                case .wrongCredential: failures.failed(address, now: eventLoop.now)
                case .credentialNeeded, .loopbackOnly, .tooManyAttempts, .unavailable: break
                }
            }
            return verdict
        }
    }
}

extension RTSPCredential {
    fileprivate init(_ publisher: PublisherCredential) {
        self.init(
            username: publisher.username, realm: PublisherCredential.realm, md5: publisher.md5,
            sha256: publisher.sha256)
    }
}
