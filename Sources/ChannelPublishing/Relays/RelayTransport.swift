/// One way to fetch a channel from elsewhere, or to copy it there.
package protocol RelayTransport: Sendable {
    /// Makes a connection, and works until it ends or the task is cancelled.
    ///
    /// - Parameter progress: is told how it goes.
    /// - Throws: ``RelayFailure`` with the reason for the end.
    func run(_ progress: RelayProgress) async throws
}
