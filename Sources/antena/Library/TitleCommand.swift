import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

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

        private func body() throws -> APIObject<TitleDetailsChangeFields> {
            try changes.request { f in
                [
                    series.map { f.series($0) }, season.map { f.season($0) }, episode.map { f.episode($0) },
                    cast.isEmpty ? nil : f.cast(cast), ageRating.map { f.ageRating($0) }, artist.map { f.artist($0) },
                    album.map { f.album($0) },
                ]
            }
        }

        func validate() throws { _ = try body() }

        func run() async throws {
            try await changes.send(try body(), to: title, TitleKind.self, options)
        }
    }
}
