import LiveChannels
import LogMetadata
import Logging
import MediaCore
import NIOCore
import RTSPProtocol
import StreamConnections
import Synchronization

/// Authorization of publishers.
extension RTSPConnectionHandler {
    /// Calls `verdict` with a refusal or `nil`: immediately, or with a delay if the peer's address has failed before.
    func authorize(
        _ authorization: RTSPAuthorization, for channel: LiveChannel, verdict: @escaping (RTSPRefusal?) -> Void
    ) {
        let access = channel.configuration.publishing.access
        if let admission = environment.admission, access != .anyone,
            let credential = StreamCredential(authorization)
        {
            return admit(authorization, always: true) { [self] refusal in
                if let refusal { return verdict(refusal) }
                ask { [name = channel.name] peer in
                    await admission.decide(credential, channel: name, from: peer)
                } answer: { [self] decision in
                    switch decision {
                    case .admitted: verdict(nil)
                    case .unavailable: verdict(RTSPRefusal(.serviceUnavailable, headers: ["Retry-After": "2"]))
                    case .refused, .open, .rentalNeeded, .rentalOver, .tooManyPlayers:
                        failed(authorization)
                        verdict(self.refusal(authorization, access, channel))
                    case .notAnAccounts: verdict(self.refusal(authorization, access, channel, isWrong: true))
                    }
                }
            }
        }
        switch access {
        case .anyone, .loopback: verdict(refusal(authorization, access, channel))
        case .accounts, .credentials:
            admit(authorization) { [self] refusal in
                verdict(refusal ?? self.refusal(authorization, access, channel))
            }
        }
    }

    /// Checks whether a reader may play something.
    ///
    /// - Parameters:
    ///   - authorization: what the request says about its sender.
    ///   - subject: what the reader wants to play; `nil` at a path at which there can be nothing.
    ///   - path: its path.
    ///   - verdict: called with `nil` if the reader may; at once for what is for everyone.
    func admitReader(
        _ authorization: RTSPAuthorization, of subject: MediaSubject?, at path: String,
        verdict: @escaping (RTSPRefusal?) -> Void
    ) {
        guard let admission = environment.admission else { return verdict(nil) }
        // Readers that may play what is hidden, such as a moderator's, go on.
        permit = PlaybackPermit(of: admission.isHidden(subject) ? nil : subject)
        guard !admission.isForEveryone(subject) else { return verdict(nil) }
        let challenge = RTSPAuthenticator.basicChallenge(realm: PublisherCredential.realm)
        let credential = StreamCredential(authorization)
        admit(authorization, always: credential != nil) { [self] refusal in
            if let refusal { return verdict(refusal) }
            ask { peer in
                await admission.decide(credential, playing: subject, at: path, from: peer)
            } answer: { [self] decision in
                switch decision {
                case .admitted(_, let time, let rental):
                    permit.admit(for: time, rental: rental, at: eventLoop.now)
                    verdict(nil)
                case .open: verdict(nil)
                case .unavailable: verdict(RTSPRefusal(.serviceUnavailable, headers: ["Retry-After": "2"]))
                case .rentalNeeded:
                    verdict(
                        RTSPRefusal(
                            .paymentRequired.because("Payment Required: rent the title, and activate the rental")))
                case .rentalOver: verdict(RTSPRefusal(.gone.because("Gone: the rental has expired")))
                case .tooManyPlayers(let limit):
                    let reason = "Forbidden: the rental is being watched on \(limit) devices, the most it allows"
                    verdict(RTSPRefusal(.forbidden.because(reason)))
                case .refused, .notAnAccounts:
                    if credential != nil { failed(authorization) }
                    verdict(challenge)
                }
            }
        }
    }

    /// Decides without the accounts.
    ///
    /// - Parameter isWrong: whether there is a credential that cannot be one of an account.
    private func refusal(
        _ authorization: RTSPAuthorization, _ access: PublishingPolicy.Access, _ channel: LiveChannel,
        isWrong: Bool = false
    ) -> RTSPRefusal? {
        switch access {
        case .anyone: return nil
        case .loopback:
            guard context?.channel.remoteAddress?.isLoopback != true else { return nil }
            let reason =
                "Forbidden: \(channel.name) only accepts publishers from this machine, unless its configuration "
                + "lists publishers or sets \"publish\" to \"accounts\" or \"anyone\""
            return RTSPRefusal(.forbidden.because(reason))
        case .accounts:
            if isWrong { failed(authorization) }
            // A digest cannot be compared with the hash of a secret.
            return RTSPAuthenticator.basicChallenge(realm: PublisherCredential.realm)
        case .credentials(let publishers):
            let credentials = publishers.map { publisher in
                RTSPCredential(
                    username: publisher.username, realm: PublisherCredential.realm, md5: publisher.md5,
                    sha256: publisher.sha256)
            }
            return authenticate(authorization, among: credentials)
        }
    }

    /// Asks the accounts, and calls `answer` on the event loop unless the connection has ended meanwhile.
    private func ask(
        _ question: @escaping @Sendable (SocketAddress?) async -> StreamAdmissionDecision,
        answer: @escaping (StreamAdmissionDecision) -> Void
    ) {
        let peer = context?.channel.remoteAddress
        eventLoop.makeFutureWithTask { await question(peer) }.assumeIsolated().whenComplete { [self] result in
            guard isAwaitingVerdict else { return }
            let decision = (try? result.get()) ?? .unavailable
            if case .admitted(let username, _, _) = decision {
                environment.failures.withLock { $0.succeeded(authenticationKey) }
                logger.info("RTSP client logged in", metadata: withCSeq([.userName: "\(username)"]))
            }
            answer(decision)
            parseHeldBytes()
        }
    }

    private func failed(_ authorization: RTSPAuthorization) {
        environment.failures.withLock { $0.failed(authenticationKey, now: eventLoop.now) }
        environment.counters.update { $0.failedLoginCount += 1 }
        logger.notice(
            "RTSP login failed",
            metadata: withCSeq([.userName: "\(authorization.claimedUsername?.prefix(100) ?? "")"]))
    }

    /// Delays attempts from addresses that have failed before, to protect passwords from being guessed.
    ///
    /// - Parameter always: whether there is a credential beside the authorization.
    private func admit(
        _ authorization: RTSPAuthorization, always: Bool = false, then body: @escaping (RTSPRefusal?) -> Void
    ) {
        guard always || authorization.isPresent else { return body(nil) }
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
        case .rejected: failed(authorization)
        case .missing, .stale: break
        }
        return authenticator.refusal(after: outcome, now: now)
    }

    /// Key for counting failed logins: the address group of the peer, which usually belongs to one subscriber.
    private var authenticationKey: String { AddressGroup(context?.channel.remoteAddress).description }
}

extension StreamCredential {
    /// - Returns: `nil` if the publisher has sent nothing that an account could have given it.
    fileprivate init?(_ authorization: RTSPAuthorization) {
        if let token = authorization.queryValue("token") ?? authorization.queryValue("jwt"), !token.isEmpty {
            self = .token(token)
        } else if let basic = authorization.basic {
            self = .password(username: basic.username, secret: basic.password)
        } else {
            return nil
        }
    }
}
