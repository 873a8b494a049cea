/// Sends requests to providers. It follows no redirects, and has limits of time and size of its own.
package protocol ProviderTransport: Sendable {
    /// - Returns: the answer, whatever its status.
    /// - Throws: an error if there is no answer.
    func send(_ request: ProviderRequest) async throws -> ProviderResponse
}
