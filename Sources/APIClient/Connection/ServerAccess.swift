package import Foundation
package import JSONDocument

/// The credential of a command, and the servers that it is sent to.
package protocol ServerAccess: Sendable {
    /// The credential that a server is sent as `Authorization: Bearer`; `nil` for none.
    func credential(for server: URL) -> String?

    /// The message for the user after a server has answered 401.
    ///
    /// - Parameters:
    ///   - problem: the server's answer.
    ///   - base: the server as the user has named it.
    ///   - server: its address.
    func explanation(of problem: JSONNode, from base: String, at server: URL) -> String
}
