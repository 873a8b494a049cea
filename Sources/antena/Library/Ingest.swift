import APIClient
import ArgumentParser
import Foundation
import Gateway
import ServerSettings

struct Ingest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Add video and audio files to the library.",
        discussion: """
            Passes the files to the running server; if none is running and --server is not given, ingests them itself. \
            The exit status is 0 if all files are playable, 1 if one is not, and 2 if neither a server nor a library \
            can be used.
            """)

    @Option(help: "The running server's URL. (default: http://127.0.0.1:8080, if one answers)")
    var server: String?

    @Option(
        help: ArgumentHelp(
            "Without a server: the folder that holds vod/ and audio/. (default: media)", valueName: "dir"))
    var media: String?

    @Option(
        help: ArgumentHelp(
            "The server's data folder, which holds its operator token; without a server, the folder of the catalogue. (default: data)",
            valueName: "dir"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "A copy of a server's operator token; ANTENA_TOKEN holds the token itself.", valueName: "file"),
        completion: .file())
    var tokenFile: String?

    @Option(
        help: ArgumentHelp("Time of the frame that becomes the poster: 83.5, 1:23.5 or 1:02:03.", valueName: "time"))
    var posterAt: MediaTimestamp?

    @Flag(help: "Print a line of JSON for each file, and no progress.")
    var json = false

    @Argument(help: "Files and folders on the server's machine.", completion: .file())
    var files: [String]

    /// The exit status if neither a server nor a library can be used.
    private static let unavailable = ExitCode(2)

    func run() async throws {
        let succeeded: Bool
        do {
            succeeded = try await ingest()
        } catch let error as any CustomStringConvertible & Error {
            FileHandle.standardError.write(Data("Error: \(error.description)\n".utf8))
            throw Self.unavailable
        }
        if !succeeded { throw ExitCode.failure }
    }

    private func ingest() async throws -> Bool {
        let environment = ProcessInfo.processInfo.environment
        do {
            let access = try OperatorAccess(tokenFile: tokenFile, dataDirectory: data, environment: environment)
            return try await ServerClient.with(
                server: server ?? ServerOptions.defaultServer, access: access
            ) { client in
                // Finds out before the first file whether a server runs; a server that disappears later is an error.
                if server == nil { _ = try await client.presets() }
                return try await IngestRun(destination: client, posterTime: posterAt, isJSON: json).run(files: files)
            }
        } catch let error as ServerClientError where error.isUnreachable && server == nil {
            let flags: [ServerSetting: String?] = [.media: media, .data: data]
            let configuration = try ServerConfiguration(
                flags: flags.compactMapValues(\.self), environment: environment)
            return try await StandaloneLibrary.with(
                mediaDirectory: configuration.mediaDirectory, dataDirectory: configuration.dataDirectory
            ) { library in
                try await IngestRun(destination: library, posterTime: posterAt, isJSON: json).run(files: files)
            }
        }
    }
}
