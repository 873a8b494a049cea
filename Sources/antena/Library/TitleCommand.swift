import APIClient
import ArgumentParser
import JSONDocument

struct TitleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "title",
        abstract: "List a running server's titles, and change their details.",
        subcommands: [
            ListTitles.self, Genres.self, ExportTitles.self, ImportTitles.self, ShowItem<TitleKind>.self, Set.self,
        ])

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change the details of a title.",
            discussion: """
                Values set here override the .nfo file, which overrides the media file's tags and names. \
                They stay when the file is renamed or replaced.
                """)

        @OptionGroup var options: ServerOptions
        @OptionGroup var changes: DetailChanges

        @Option(help: "The series that it is an episode of.")
        var series: String?

        @Option(help: "The season of the series.")
        var season: Int?

        @Option(help: "The number in the season.")
        var episode: Int?

        @Option(name: .customLong("actor"), help: "An actor; may be repeated, and replaces all.")
        var cast: [String] = []

        @Option(help: "The age rating, such as 12 or PG-13.")
        var ageRating: String?

        @Option(help: "The artist.")
        var artist: String?

        @Option(help: "The album that it belongs to.")
        var album: String?

        @Argument(help: "The title's ID, or its file in the media folder.")
        var title: String

        private func body() throws -> JSONText {
            var fields: [JSONText.Field] = []
            if let series { fields.append(("series", .string(series))) }
            if let season { fields.append(("season", .integer(season))) }
            if let episode { fields.append(("episode", .integer(episode))) }
            if !cast.isEmpty { fields.append(("cast", .array(cast.map(JSONText.string)))) }
            if let ageRating { fields.append(("ageRating", .string(ageRating))) }
            if let artist { fields.append(("artist", .string(artist))) }
            if let album { fields.append(("album", .string(album))) }
            return try changes.json(fields)
        }

        func validate() throws { _ = try body() }

        func run() async throws {
            try await changes.send(try body(), to: title, TitleKind.self, options)
        }
    }
}
