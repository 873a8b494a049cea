import LiveChannels
import Logging
import LogMetadata
import MediaCore
import NIOCore
import RTSPProtocol
import Synchronization

/// Authorization of publishers.
extension RTSPConnectionHandler {
    /// Calls `verdict` with a refusal or `nil`: immediately, or with a delay if the peer's address has failed before.
    func authorize(
        _ authorization: RTSPAuthorization, for channel: LiveChannel, verdict: @escaping (RTSPRefusal?) -> Void
    ) {
        switch channel.configuration.publishing.access {
        case .anyone: verdict(nil)
        case .loopback:
            guard context?.channel.remoteAddress?.isLoopback != true else { return verdict(nil) }
            let reason =
                "Forbidden: \(channel.name) only accepts publishers from this machine, unless its configuration "
                + "lists publishers or sets \"publish\" to \"anyone\""
            verdict(RTSPRefusal(.forbidden.because(reason)))
        case .credentials(let publishers):
            let credentials = publishers.map { publisher in
                RTSPCredential(
                    username: publisher.username, realm: PublisherCredential.realm, md5: publisher.md5,
                    sha256: publisher.sha256)
            }
            admit(authorization) { [self] refusal in
                verdict(refusal ?? authenticate(authorization, among: credentials))
            }
        }
    }

    /// Delays attempts from addresses that have failed before, to protect passwords from being guessed.
    private func admit(_ authorization: RTSPAuthorization, then body: @escaping (RTSPRefusal?) -> Void) {
        guard authorization.isPresent else { return body(nil) }
        let now = eventLoop.now
        switch environment.failures.withLock({ $0.admit(authenticationKey, now: now) }) {
        case .now: body(nil)
        case .refused(let retryAfter): body(.tooManyAttempts(retryAfter: retryAfter))
        case .after(let delay):
            delayedVerdict = eventLoop.assumeIsolated().scheduleTask(in: delay) { [self] in
                delayedVerdict = nil
                // The connection may have ended in the meantime.
                guard isAwaitingVerdict else { return }
                body(nil)
                parseHeldBytes()
            }
        }
    }

    private func authenticate(_ authorization: RTSPAuthorization, among credentials: [RTSPCredential]) -> RTSPRefusal? {
        let now = eventLoop.now
        let outcome = authenticator.authenticate(authorization, among: credentials, now: now)
        switch outcome {
        case .authenticated(let username):
            environment.failures.withLock { $0.succeeded(authenticationKey) }
            logger.info("publisher logged in", metadata: withCSeq([.userName: "\(username)"]))
            return nil
        case .rejected:
            environment.failures.withLock { $0.failed(authenticationKey, now: now) }
            environment.counters.update { $0.failedLoginCount += 1 }
            logger.notice(
                "RTSP login failed",
                metadata: withCSeq([.userName: "\(authorization.claimedUsername?.prefix(100) ?? "")"]))
        case .missing, .stale: break
        }
        return authenticator.refusal(after: outcome, now: now)
    }

    /// Key for counting failed logins: the address group of the peer, which usually belongs to one subscriber.
    private var authenticationKey: String { AddressGroup(context?.channel.remoteAddress).description }
}
