import APIClient
import ArgumentParser
import Foundation

struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Print the events of a running server, a line of JSON for each, until interrupted.")

    @OptionGroup var options: ServerOptions

    @Option(
        help: ArgumentHelp(
            "Types of events or groups of them, such as channel or title.ready. (default: all)", valueName: "type,…"))
    var types: String?

    @Option(
        help: ArgumentHelp("Subjects of the events, such as channel/canalA. (default: all)", valueName: "kind/name"))
    var resource: String?

    @Option(
        help: ArgumentHelp(
            "The id of the last event received; 0 prints all stored events. (default: from now on)",
            valueName: "id"))
    var after: String?

    func run() async throws {
        try await options.withClient { client in
            try await client.events(
                types: types?.split(separator: ",").map(String.init) ?? [], resource: resource, after: after
            ) { event in
                let line = event.type == "missed" ? #"{"type":"missed"}"# : event.data
                // Not buffered: a reader at the other end of a pipe waits for each line.
                try FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
            }
        }
    }
}
