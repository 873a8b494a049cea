import APIClient
import ArgumentParser
import JSONDocument

struct SeriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "series", abstract: "List a running server's series and their episodes.",
        subcommands: [ListCommand<List>.self, Show.self])

    struct List: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the series of the titles that can be played.",
            discussion: "A title's series comes from \"antena title set --series\", its NFO file or its folders.")

        @OptionGroup var list: LimitOption

        func items(_ client: ServerClient) async throws -> [JSONNode] {
            try await client.series(limit: list.limit)
        }

        static func table(_ items: [JSONNode]) -> String { CollectionTables.series(items) }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "List the episodes of a series by season and number.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var list: LimitOption
        @OptionGroup var output: TableOutput

        @Argument(help: "The ID of the series.")
        var series: String

        func run() async throws {
            let (shown, titles) = try await options.withClient { client in
                (try await client.series(id: series), try await client.titles(ofSeries: series, limit: list.limit))
            }
            output.show(shown, "titles", titles, CollectionTables.episodes)
        }
    }
}
