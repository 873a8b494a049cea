import LiveChannels
import Logging
import MediaCore
import NIOCore
import RTSPProtocol
import Synchronization

/// Who may publish to a channel.
extension RTSPConnectionHandler {
    /// Calls `verdict` with what stands against the request, at once or, where its address has failed before, later.
    func authorize(
        _ authorization: RTSPAuthorization, for channel: LiveChannel, verdict: @escaping (RTSPRefusal?) -> Void
    ) {
        switch channel.configuration.publishing.access {
        case .anyone: verdict(nil)
        case .loopback:
            guard context?.channel.remoteAddress?.isLoopback != true else { return verdict(nil) }
            let reason =
                "Forbidden: \(channel.name) takes publishers from this machine only, unless its configuration "
                + "names publishers or says \"publish\": \"anyone\""
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

    /// Those who have failed wait before they are looked at, so that passwords are not to be found by trying.
    private func admit(_ authorization: RTSPAuthorization, then body: @escaping (RTSPRefusal?) -> Void) {
        guard authorization.isPresent else { return body(nil) }
        let now = eventLoop.now
        switch environment.failures.withLock({ $0.admit(authenticationKey, now: now) }) {
        case .now: body(nil)
        case .refused(let retryAfter): body(.tooManyAttempts(retryAfter: retryAfter))
        case .after(let delay):
            delayedVerdict = eventLoop.assumeIsolated().scheduleTask(in: delay) { [self] in
                delayedVerdict = nil
                // The connection may have ended meanwhile.
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
            logger.info("a publisher has logged in", metadata: ["user": "\(username)"])
            return nil
        case .rejected:
            environment.failures.withLock { $0.failed(authenticationKey, now: now) }
            environment.counters.update { $0.failedLoginCount += 1 }
            logger.notice(
                "wrong credentials", metadata: ["user": "\(authorization.claimedUsername?.prefix(100) ?? "")"])
        case .missing, .stale: break
        }
        return authenticator.refusal(after: outcome, now: now)
    }

    /// Failures to log in are counted by what one subscriber has.
    private var authenticationKey: String { AddressGroup(context?.channel.remoteAddress).description }
}
