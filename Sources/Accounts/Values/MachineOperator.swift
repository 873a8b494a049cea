/// A user on the server's own machine, with the rights of an administrator.
package enum MachineOperator: Sendable, Hashable {
    /// A client that has read the token file in the data folder.
    case tokenFile
    /// A client on the Unix socket; the value is the number of its user, as the kernel reports it.
    case unixSocket(userNumber: UInt32)

    /// The name in the audit log.
    package var name: String {
        switch self {
        case .tokenFile: "operator token"
        case .unixSocket(let number): "Unix socket, user \(number)"
        }
    }
}
