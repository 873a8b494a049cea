import APIClient
import ArgumentParser
import JSONDocument

struct TrackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "track",
        abstract: "List a running server's audio tracks, and change what people read about them.",
        subcommands: [ListItems<TrackKind>.self, ShowItem<TrackKind>.self, Set.self, Delete.self])

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change what people read about a track.",
            discussion: """
                What is set here takes precedence over notes beside the file (.nfo), and those over the file's tags and \
                names. It stays when the file is renamed or replaced.
                """)

        @OptionGroup var options: ServerOptions
        @OptionGroup var changes: DetailChanges

        @Option(help: "The artist.")
        var artist: String?

        @Option(help: "The album.")
        var album: String?

        @Option(help: "The number on the album.")
        var trackNumber: Int?

        @Argument(help: "The track's ID or title.")
        var track: String

        private func body() throws -> JSONText {
            var fields: [JSONText.Field] = []
            if let artist { fields.append(("artist", .string(artist))) }
            if let album { fields.append(("album", .string(album))) }
            if let trackNumber { fields.append(("trackNumber", .integer(trackNumber))) }
            return try changes.json(fields)
        }

        func validate() throws { _ = try body() }

        func run() async throws {
            try await changes.send(try body(), to: track, TrackKind.self, options)
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete tracks and their files.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "IDs or titles of tracks.")
        var tracks: [String]

        func run() async throws {
            try await options.withClient { client in
                for name in tracks {
                    let id = try await client.trackID(name)
                    try await client.deleteTrack(id: id)
                    print("\(id): deleted")
                }
            }
        }
    }
}
