/// The reason why a client cannot listen at the moment.
package struct EventListeningError: Error, Sendable {
    /// A clause that says why.
    package var reason: String
}
