import ArgumentParser
import Gateway

struct Ingest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Add video and audio files to a running server's library.",
        discussion: "Ends with status 1 where a file cannot be played.")

    @OptionGroup var options: ServerOptions

    @Argument(help: "Files of the server's machine.", completion: .file())
    var files: [String]

    func run() async throws {
        let succeeded = try await ServerClient.with(server: options.server) { client in
            try await IngestRun(client: client).run(files: files)
        }
        if !succeeded { throw ExitCode.failure }
    }
}
