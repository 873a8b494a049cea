import APIClient
import ArgumentParser
import JSONDocument

struct TitleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "title",
        abstract: "List a running server's titles, and change what people read about them.",
        subcommands: [List.self, Show.self, Set.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List or search titles.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var list: ListOptions

        func run() async throws {
            let items = try await options.withClient {
                try await $0.items(
                    of: .titles, matching: list.search, order: list.sort, state: list.state, limit: list.limit)
            }
            print(list.json ? JSONText.array(items.map(JSONText.init)).rendered : DetailTables.titles(items))
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show what people read about a title, and where it comes from.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The title's ID, or its file in the media folder.")
        var title: String

        @Flag(help: "Print JSON instead of a table.")
        var json = false

        func run() async throws {
            let details = try await options.withClient { client in
                try await client.details(of: try await client.titleID(title), in: .titles)
            }
            print(json ? JSONText(details).rendered : DetailTables.details(details))
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change what people read about a title.",
            discussion: """
                What is set here takes precedence over notes beside the file (.nfo), and those over the file's tags and \
                names. It stays when the file is renamed or replaced.
                """)

        @OptionGroup var options: ServerOptions
        @OptionGroup var changes: DetailChanges

        @Option(help: "The series that it is an episode of.")
        var series: String?

        @Option(help: "The season of the series.")
        var season: Int?

        @Option(help: "The number in the season.")
        var episode: Int?

        @Argument(help: "The title's ID, or its file in the media folder.")
        var title: String

        private func body() throws -> JSONText {
            var fields: [JSONText.Field] = []
            if let series { fields.append(("series", .string(series))) }
            if let season { fields.append(("season", .integer(season))) }
            if let episode { fields.append(("episode", .integer(episode))) }
            return try changes.json(fields)
        }

        func validate() throws { _ = try body() }

        func run() async throws {
            let body = try body()
            let details = try await options.withClient { client in
                try await client.changeDetails(of: try await client.titleID(title), in: .titles, body)
            }
            print(changes.json ? JSONText(details).rendered : DetailTables.details(details))
        }
    }
}
