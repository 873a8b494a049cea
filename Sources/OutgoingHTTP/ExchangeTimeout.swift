/// An answer was not complete in time.
package struct ExchangeTimeout: Error, Hashable, CustomStringConvertible {
    package var limit: Duration

    package var description: String { "the answer was not complete after \(limit)" }
}
