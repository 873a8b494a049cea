/// Numbers of the messages that this server has sent since it started.
package struct WebhookCounters: Sendable, Hashable {
    /// Attempts that were answered with a status from 200 to 299.
    package internal(set) var deliveredCount = 0
    /// Attempts that were not.
    package internal(set) var failedCount = 0
    /// Messages that were given up.
    package internal(set) var givenUpCount = 0
}
