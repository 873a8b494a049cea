import APIClient
import ArgumentParser

/// Options of commands that talk to a running server.
protocol ClientOptions: ParsableArguments {
    /// Runs `body` with a client of the server.
    ///
    /// - Throws: ``CommandFailure``
    func withClient<Result: Sendable>(_ body: (ServerClient) async throws -> Result) async throws -> Result
}

extension ClientOptions {
    /// Does something with each of some things, and says so after each.
    ///
    /// - Parameters:
    ///   - ids: their IDs or names.
    ///   - output: how it is said.
    ///   - result: such as "removed".
    ///   - body: does it.
    /// - Throws: ``CommandFailure`` for the first that fails.
    func withEach(
        _ ids: [String], _ output: ResultOutput, _ result: String,
        _ body: (ServerClient, String) async throws -> Void
    ) async throws {
        try await withClient { client in
            for id in ids {
                try await body(client, id)
                output.print(id, result)
            }
        }
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
