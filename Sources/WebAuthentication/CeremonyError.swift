/// The answer of an authenticator that is refused.
package struct CeremonyError: Error, Hashable, CustomStringConvertible {
    /// The reason: the end of a sentence, without a full stop.
    package var reason: String

    init(_ reason: String) { self.reason = reason }

    package var description: String { reason }
}
