import ArgumentParser
import Gateway

@main
struct Antena: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "antena",
        abstract: "A media library and live-channel streaming gateway.",
        version: "\(Product.name) \(Product.version)",
        subcommands: [
            Serve.self, Status.self, Ingest.self, Delete.self, Transcode.self, Poster.self, Encrypt.self, Export.self,
            Record.self, BroadcastCommand.self, HashPassword.self, IngestWorkerCommand.self,
        ])
}

/// Where the commands that talk to a running server find it.
struct ServerOptions: ParsableArguments {
    @Option(help: "The running server's address.")
    var server = Self.defaultServer

    static let defaultServer = "http://127.0.0.1:8080"
}
