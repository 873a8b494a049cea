import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

struct SeriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "series", abstract: "List a running server's series and their episodes.",
        subcommands: [ListCommand<List>.self, ShowCollectionCommand<Show>.self])

    struct List: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the series of the titles that can be played.",
            discussion: "A title's series comes from \"antena title set --series\", its NFO file or its folders.")
        static let nothing = "no series"

        @OptionGroup var list: LimitOption

        func items(_ client: ServerClient) async throws -> [APIObject<SeriesFields>] {
            try await client.series(limit: list.limit)
        }
    }

    struct Show: ShownCollection {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "List the episodes of a series by season and number.")
        static let member = "titles"
        static let nothing = "no titles"

        @OptionGroup var list: LimitOption

        @Argument(help: "The ID of the series.")
        var series: String

        func collection(_ client: ServerClient) async throws -> APIObject<SeriesFields> {
            try await client.series(id: series)
        }

        func items(_ client: ServerClient) async throws -> [APIObject<ListedTitleFields>] {
            try await client.titles(ofSeries: series, limit: list.limit)
        }

        static func heading(_ collection: APIObject<SeriesFields>) -> String { collection.name ?? "" }
    }
}
