import APIClient
import ArgumentParser
import Foundation

/// The session of the commands with which members manage what is theirs.
struct SessionOptions: ClientOptions {
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
}
