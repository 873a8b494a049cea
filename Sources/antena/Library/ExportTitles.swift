import APIClient
import APIContract
import ArgumentParser
import Foundation
import JSONDocument

/// `antena title export`.
struct ExportTitles: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print the details and terms of all titles as a table.",
        discussion: "Edit the table with any program, and apply it with `antena title import`.")

    @OptionGroup var options: ServerOptions

    @Flag(help: "Print JSON instead of comma-separated values.")
    var json = false

    func run() async throws {
        if json {
            let items = try await options.withClient { try await $0.catalogue() }
            print(JSONText.object([("items", items.json)]).rendered)
        } else {
            try await options.withClient { client in
                try await client.catalogueTable { try FileHandle.standardOutput.write(contentsOf: Data($0)) }
            }
        }
    }
}
