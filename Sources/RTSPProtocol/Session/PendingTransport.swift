struct PendingTransport: Hashable, Sendable {
    var request: RTSPRequest
    /// The session; for a reader's first SETUP, the one that it will create.
    var session: EstablishedSession
    var trackIndex: Int
}
