/// The reason why a connection was refused.
package enum ConnectionRefusal: String, Sendable, CaseIterable {
    case tooManyConnections = "too-many-connections"
    case tooManyFromAddress = "too-many-from-address"
    case shuttingDown = "shutting-down"
}
