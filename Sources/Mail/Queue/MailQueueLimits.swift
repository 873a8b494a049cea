/// The limits of a ``MailQueue``.
package struct MailQueueLimits: Sendable, Hashable {
    /// Largest number of mails that wait: as many as a site sends while its mail server is restarted. Further ones are
    /// dropped.
    package var maximumCount = 256
    /// Number of attempts to send a mail. With the delays below they last about 20 minutes, longer than a server with
    /// greylisting makes strangers wait, and less than the hour in which a link for a new password can be used.
    package var maximumAttemptCount = 8
    /// Time after the first attempt; it doubles with each.
    package var firstDelay = Duration.seconds(10)
    package var maximumDelay = Duration.seconds(600)
    /// Time for what is still to be sent when the server stops.
    package var closingTime = Duration.seconds(2)

    package init() {}

    /// Time until the next attempt.
    ///
    /// - Parameter attemptCount: the number of attempts so far, at least 1.
    func delay(after attemptCount: Int) -> Duration {
        // More doublings than this are beyond every maximum.
        min(firstDelay * (1 << min(max(attemptCount - 1, 0), 20)), maximumDelay)
    }
}
