/// The answer to a question about permission.
package enum Decision: Sendable, Hashable {
    case allowed
    /// Strangers may not; somebody who logs in may be allowed to (HTTP 401).
    case loginNeeded
    /// The caller may not (HTTP 403).
    case forbidden
    /// The caller may not, nor know whether there is such a thing (HTTP 404).
    case concealed

    package var isAllowed: Bool { self == .allowed }
}
