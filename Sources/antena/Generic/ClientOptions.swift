import APIClient
import ArgumentParser

/// Options of commands that talk to a running server.
protocol ClientOptions: ItemSource where Access == ServerClient {
    /// Runs `body` with a client of the server.
    ///
    /// - Throws: ``CommandFailure``
    func withClient<Result: Sendable>(_ body: (ServerClient) async throws -> Result) async throws -> Result
}

extension ClientOptions {
    func withAccess<Result: Sendable>(_ body: (ServerClient) async throws -> Result) async throws -> Result {
        try await withClient(body)
    }

    /// Ends a command with what went wrong at the server or with the session.
    ///
    /// - Throws: ``CommandFailure``
    static func explaining<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as ServerClientError {
            throw CommandFailure(error.description)
        }
    }
}
