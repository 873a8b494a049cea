import APIClient
import ArgumentParser
import JSONDocument

struct MeWarnings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "warnings", abstract: "Show moderators' decisions about you, newest first.")

    @OptionGroup var options: SessionOptions

    @Option(help: "Number of entries.")
    var limit = 20

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    func run() async throws {
        let records = try await options.withClient { try await $0.ownWarnings(limit: limit) }
        print(json ? JSONText.array(records.map(JSONText.init)).rendered : CommunityTables.records(records))
    }
}
