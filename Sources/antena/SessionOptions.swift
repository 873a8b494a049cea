import APIClient
import ArgumentParser
import Foundation

/// The session of the commands with which members manage what is theirs.
struct SessionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The file of the session. (default: antena/session.json in $XDG_CONFIG_HOME or ~/.config)",
            valueName: "file"),
        completion: .file())
    var session: String?

    var path: String {
        session ?? MemberSession.defaultPath(environment: ProcessInfo.processInfo.environment)
    }

    /// Runs `body` with a client that has the session.
    ///
    /// - Throws: ``CommandFailure``
    func withClient<Result: Sendable>(_ body: (ServerClient) async throws -> Result) async throws -> Result {
        try await Self.explaining {
            let session = try MemberSession.read(path)
            return try await ServerClient.with(server: session.server, access: MemberAccess(session), body)
        }
    }

    /// Does something with each of some things, and says so after each.
    ///
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

    /// - Throws: ``CommandFailure``
    static func explaining<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as ServerClientError {
            throw CommandFailure(error.description)
        }
    }
}
