package import MediaCore
import Synchronization

/// The limits of everything that strangers can try, on this server. They are kept in memory: a restart forgets them,
/// and several servers on one database each have their own.
package final class AccountsLimits: Sendable {
    private struct State {
        var logIns = LogInLimiter()
        /// Sign-ups whose form was right, such as with names that are taken.
        var signUpAttempts = AttemptLimiter<AddressGroup>(.init(maximumCount: 10, window: .seconds(300)))
        var signUps = AttemptLimiter<AddressGroup>(.init(maximumCount: 2, window: .seconds(300)))
        /// Requests for mail, which reach a person, for each recipient and address that asks: somebody elsewhere must
        /// not use up the mails of the recipient.
        var mails = AttemptLimiter<String>(.init(maximumCount: 3, window: .seconds(3_600)))
        var recipients = AttemptLimiter<String>(.init(maximumCount: 12, window: .seconds(3_600)))
        var mailAddresses = AttemptLimiter<AddressGroup>(.init(maximumCount: 10, window: .seconds(3_600)))
        /// One-time links and user codes that somebody tries.
        var codes = AttemptLimiter<AddressGroup>(.init(maximumCount: 20, window: .seconds(300), freeCount: 10))
        var devices = AttemptLimiter<AddressGroup>(.init(maximumCount: 20, window: .seconds(300)))
        var devicePolls = AttemptLimiter<AddressGroup>(.init(maximumCount: 600, window: .seconds(300)))
        var passkeys = AttemptLimiter<AddressGroup>(.init(maximumCount: 60, window: .seconds(300)))
        var requests = AttemptLimiter<String>(
            .init(maximumCount: AccountsSettings.standardAPIRequestCount, window: AccountsLimits.requestWindow))
    }

    private static let requestWindow = Duration.seconds(10)

    private let state = Mutex(State())
    private let uptime: @Sendable () -> Duration

    /// - Parameter uptime: the time since some start, independent of the wall clock.
    package init(uptime: @escaping @Sendable () -> Duration) { self.uptime = uptime }

    /// - Throws: `Refusal` with `tooManyAttempts`.
    func admitLogIn(from address: AddressGroup, account: String, isFamiliar: Bool) throws(Refusal) {
        let wait = state.withLock {
            $0.logIns.admit(address, account: account, isFamiliar: isFamiliar, now: uptime())
        }
        try refuse("there were too many attempts to log in", wait)
    }

    func logInSucceeded(from address: AddressGroup, account: String, isFamiliar: Bool) {
        state.withLock { $0.logIns.succeeded(address, account: account, isFamiliar: isFamiliar) }
    }

    /// 10 names in 5 minutes for each address, so that nobody finds out which accounts there are.
    func admitSignUpAttempt(from address: AddressGroup) throws(Refusal) {
        let wait = state.withLock { $0.signUpAttempts.admit(address, now: uptime()) }
        try refuse("there were too many attempts to sign up from your address", wait)
    }

    /// 2 sign-ups in 5 minutes for each address.
    func admitSignUp(from address: AddressGroup) throws(Refusal) {
        let wait = state.withLock { $0.signUps.admit(address, now: uptime()) }
        try refuse("there were too many sign-ups from your address", wait)
    }

    /// A sign-up that could not be carried out does not count.
    func signUpFailed(from address: AddressGroup) { state.withLock { $0.signUps.takeBack(address) } }

    /// 3 mails in an hour to a recipient for each address that asks, 12 to a recipient from all addresses, and 10 for
    /// each address that asks.
    func admitMail(to recipient: String, from address: AddressGroup) throws(Refusal) {
        let wait = state.withLock { state in
            let pair = "\(recipient) \(address)"
            return state.mailAddresses.wait(for: address, now: uptime())
                ?? state.mails.wait(for: pair, now: uptime())
                ?? state.recipients.admit(recipient, now: uptime())
                ?? state.mails.admit(pair, now: uptime())
                ?? state.mailAddresses.admit(address, now: uptime())
        }
        try refuse("there were too many requests for mail", wait)
    }

    /// 20 wrong codes in 5 minutes for each address.
    func admitCode(from address: AddressGroup) throws(Refusal) {
        let wait = state.withLock { $0.codes.admit(address, now: uptime()) }
        try refuse("there were too many wrong codes", wait)
    }

    func codeSucceeded(from address: AddressGroup) { state.withLock { $0.codes.takeBack(address) } }

    /// 20 device log-ins in 5 minutes for each address.
    func admitDevice(from address: AddressGroup) throws(Refusal) {
        let wait = state.withLock { $0.devices.admit(address, now: uptime()) }
        try refuse("there were too many device log-ins", wait)
    }

    /// 600 questions of devices in 5 minutes for each address, ten televisions behind it; each writes to the database.
    func admitDevicePoll(from address: AddressGroup) throws(Refusal) {
        let wait = state.withLock { $0.devicePolls.admit(address, now: uptime()) }
        try refuse("there were too many polls by devices", wait)
    }

    /// 60 log-ins with passkeys in 5 minutes for each address; each stores a challenge.
    func admitPasskey(from address: AddressGroup) throws(Refusal) {
        let wait = state.withLock { $0.passkeys.admit(address, now: uptime()) }
        try refuse("there were too many log-ins with passkeys", wait)
    }

    /// Changes the number of requests that a member may send in 10 seconds. What was counted before is forgotten.
    func setRequestCount(_ count: Int) {
        state.withLock { state in
            guard state.requests.limits.maximumCount != count else { return }
            state.requests = AttemptLimiter(.init(maximumCount: count, window: Self.requestWindow))
        }
    }

    /// Counts a request of a member, by whichever session or token.
    ///
    /// - Returns: what is left.
    /// - Throws: `Refusal` with `tooManyAttempts`.
    @discardableResult package func admitRequest(of member: UserID) throws(Refusal) -> RequestQuota {
        let (wait, quota) = state.withLock { state in
            let now = uptime()
            let wait = state.requests.admit(member.text, now: now)
            return (wait, state.requests.quota(of: member.text, now: now))
        }
        try refuse("there were too many requests", wait)
        return quota
    }

    private func refuse(_ what: String, _ wait: Duration?) throws(Refusal) {
        guard let wait else { return }
        throw .tooManyAttempts(what, retryAfter: wait)
    }
}
