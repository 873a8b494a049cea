/// How long the server's own parts took to answer when they were last asked.
package struct ServerDelays: Sendable, Hashable {
    /// The longest time that one of the event loops took to begin with something.
    package var eventLoop: Duration?
    package var database: Duration?
    /// `nil` for a server without a media store.
    package var mediaStore: Duration?

    package init() {}
}
