import Accounts
package import MediaCore
import Synchronization

/// Sends results to addresses that somebody names, and limits how many.
package final class ResultMails: Sendable {
    private struct State {
        var senders = AttemptLimiter<String>(
            AttemptLimits(maximumCount: ResultMails.maximumSenderCount, window: ResultMails.window))
        var recipients = AttemptLimiter<String>(
            AttemptLimits(maximumCount: ResultMails.maximumRecipientCount, window: ResultMails.window))
        var all = AttemptLimiter<String>(
            AttemptLimits(maximumCount: ResultMails.maximumTotalCount, window: ResultMails.window))
    }

    /// Limit of the addresses of one request.
    package static let maximumAddressCount = 10
    /// Limits of the mails in an hour: of an account, to an address, and of the server, whose queue holds their files
    /// while the mail server does not answer.
    package static let maximumSenderCount = 30
    package static let maximumRecipientCount = 6
    package static let maximumTotalCount = 60
    private static let window = Duration.seconds(3_600)
    /// Limit of a file: about 5,000 results.
    package static let maximumFileByteCount = 2 << 20

    private let mailing: any ResultMailing
    private let uptime: @Sendable () -> Duration
    private let state = Mutex(State())

    /// - Parameters:
    ///   - mailing: sends mails.
    ///   - uptime: the time since some moment, which nobody sets.
    package init(_ mailing: any ResultMailing, uptime: @escaping @Sendable () -> Duration) {
        (self.mailing, self.uptime) = (mailing, uptime)
    }

    /// The addresses of a request without those that it names twice.
    ///
    /// - Throws: `Refusal` with `invalidField` if there are none or too many, or if one is not an address.
    package func addresses(_ texts: [String]) throws(Refusal) -> [String] {
        try Self.checkCount(texts.count)
        var addresses: [String] = []
        for text in texts where !addresses.contains(where: { $0.lowercased() == text.lowercased() }) {
            try mailing.check(text)
            addresses.append(text)
        }
        return addresses
    }

    private static func checkCount(_ count: Int) throws(Refusal) {
        guard (1...maximumAddressCount).contains(count) else {
            throw Refusal(
                .invalidField, "the field `addresses` must have 1 to \(maximumAddressCount) addresses",
                fields: ["addresses"])
        }
    }

    /// Checks whether mails would be admitted, before their file is made.
    ///
    /// - Throws: `Refusal` with `tooManyAttempts`.
    package func check(_ addresses: [String], by sender: String) throws(Refusal) {
        try admit(addresses, by: sender, isCounted: false)
    }

    /// Counts mails, all of them or none.
    ///
    /// - Throws: `Refusal` with `tooManyAttempts`.
    package func admit(_ addresses: [String], by sender: String) throws(Refusal) {
        try admit(addresses, by: sender, isCounted: true)
    }

    private func admit(_ addresses: [String], by sender: String, isCounted: Bool) throws(Refusal) {
        let now = uptime()
        let wait = state.withLock { state -> Duration? in
            let keys = addresses.map { $0.lowercased() }
            let quotas =
                [state.senders.quota(of: sender, now: now), state.all.quota(of: "", now: now)].map { ($0, keys.count) }
                + keys.map { (state.recipients.quota(of: $0, now: now), 1) }
            if let full = quotas.first(where: { $0.0.remainingCount < $0.1 }) { return full.0.reset }
            for key in keys where isCounted {
                state.senders.count(sender, now: now)
                state.all.count("", now: now)
                state.recipients.count(key, now: now)
            }
            return nil
        }
        if let wait { throw .tooManyAttempts("there were too many mails with results", retryAfter: wait) }
    }

    /// Puts a mail for each address into the queue.
    ///
    /// - Returns: the number of mails.
    /// - Throws: `Refusal` with `invalidField` if the file is too large, and `busy` if the queue is full.
    package func send(_ mail: ResultMail, to addresses: [String]) throws(Refusal) -> Int {
        guard mail.file.count <= Self.maximumFileByteCount else {
            throw Refusal(.invalidField, "the file is too large for a mail; choose fewer results", fields: ["ids"])
        }
        let count = addresses.count { mailing.send(mail, to: $0) }
        guard count > 0 else { throw Refusal(.busy, "too many mails wait to be sent; try again later") }
        return count
    }
}
