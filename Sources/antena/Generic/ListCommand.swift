import APIClient
import ArgumentParser
import JSONDocument

/// A command that prints a list as a table or as JSON.
struct ListCommand<Wanted: ListedItems>: AsyncParsableCommand {
    static var configuration: CommandConfiguration { Wanted.configuration }

    @OptionGroup var options: Wanted.Server
    @OptionGroup var wanted: Wanted

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    func run() async throws {
        let items = try await options.withClient { try await wanted.items($0) }
        print(json ? JSONText.array(items.map(JSONText.init)).rendered : Wanted.table(items))
    }
}
