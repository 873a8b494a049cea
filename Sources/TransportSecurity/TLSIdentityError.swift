/// A certificate or key file that cannot be used, and the reason.
package struct TLSIdentityError: Error, Hashable, Sendable, CustomStringConvertible {
    package var path: String
    package var reason: String

    package var description: String { "\(path): \(reason)" }
}
