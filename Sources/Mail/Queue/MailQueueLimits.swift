package import MediaCore

/// The limits of a ``MailQueue``.
package struct MailQueueLimits: Sendable, Hashable {
    /// Largest number of mails that wait: as many as a site sends while its mail server is restarted. Further ones are
    /// dropped.
    package var maximumCount = 256
    /// Number of attempts to send a mail. With the delays below they last about 20 minutes, longer than a server with
    /// greylisting makes strangers wait, and less than the hour in which a link for a new password can be used.
    package var maximumAttemptCount = 8
    package var schedule = RetrySchedule(first: .seconds(10), maximum: .seconds(600))
    /// Time for what is still to be sent when the server stops.
    package var closingTime = Duration.seconds(2)

    package init() {}
}
