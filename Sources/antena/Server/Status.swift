import APIClient
import ArgumentParser
import Gateway

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show a running server's channels, titles and tracks.")

    @OptionGroup var options: ServerOptions

    @Flag(help: "Print JSON instead of tables.")
    var json = false

    func run() async throws {
        let report = try await options.withClient { client in
            try await StatusReport.fetch(from: client)
        }
        print(json ? report.json : report.text)
    }
}
