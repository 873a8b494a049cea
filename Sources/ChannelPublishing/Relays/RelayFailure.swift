/// A reason for which a relay has ended.
package struct RelayFailure: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
