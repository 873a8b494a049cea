import APIClient
import ArgumentParser
import Foundation

/// Options of the commands that talk to a running server.
struct ServerOptions: ClientOptions {
    @Option(help: "The running server's URL.")
    var server = Self.defaultServer

    @Option(
        help: ArgumentHelp(
            "The server's data folder, which holds its operator token. (default: data)", valueName: "dir"),
        completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp(
            "A copy of a server's operator token; ANTENA_TOKEN holds the token itself.", valueName: "file"),
        completion: .file())
    var tokenFile: String?

    static let defaultServer = "http://127.0.0.1:8080"

    /// Runs `body` with a client of the server.
    ///
    /// - Throws: ``CommandFailure``
    func withClient<Result: Sendable>(_ body: (ServerClient) async throws -> Result) async throws -> Result {
        try await Self.explaining {
            let access = try OperatorAccess(
                tokenFile: tokenFile, dataDirectory: data, environment: ProcessInfo.processInfo.environment)
            return try await ServerClient.with(server: server, access: access, body)
        }
    }
}
