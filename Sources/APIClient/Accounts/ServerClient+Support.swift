package import APIContract
package import APIDeclarations

extension ServerClient {
    /// The messages of people who need help, newest first.
    package func supportMessages(limit: Int) async throws -> [APIObject<SupportMessageFields>] {
        try await items(SupportAPI.listSupportMessages, limit: limit)
    }

    /// A message of somebody who needs help.
    package func supportMessage(_ id: String) async throws -> APIObject<SupportMessageFields> {
        try await send(SupportAPI.getSupportMessage, id)
    }

    /// Deletes a message of somebody who needs help.
    package func deleteSupportMessage(_ id: String) async throws {
        try await send(SupportAPI.deleteSupportMessage, id)
    }
}
