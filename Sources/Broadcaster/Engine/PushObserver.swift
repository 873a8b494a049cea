/// A client that asks a server what it receives from a publisher.
public protocol PushObserver: Sendable {
    /// Asks the server.
    ///
    /// - Returns: What the server receives; `nil` while it receives nothing.
    func received() async throws -> ReceivedMedia?
}
