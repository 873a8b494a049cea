/// Whether the server can serve.
package protocol ServerReadiness: Sendable {
    /// The reason why the server cannot serve all requests yet; `nil` if it is ready.
    func unreadiness() async -> String?
}
