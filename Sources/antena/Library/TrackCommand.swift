import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import JSONDocument

struct TrackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "track",
        abstract: "List a running server's audio tracks, and change their details.",
        subcommands: [
            ListTracks.self, ShowItem<TrackKind>.self, Set.self, Cover.self, Delete.self,
        ])

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change the details of a track.",
            discussion: """
                Values set here override the .nfo file, which overrides the media file's tags and names. \
                They stay when the file is renamed or replaced.
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

        private func body() throws -> APIObject<TrackDetailsChangeFields> {
            try changes.request { f in
                [artist.map { f.artist($0) }, album.map { f.album($0) }, trackNumber.map { f.trackNumber($0) }]
            }
        }

        func validate() throws { _ = try body() }

        func run() async throws {
            try await changes.send(try body(), to: track, TrackKind.self, options)
        }
    }

    struct Cover: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cover",
            abstract: "Set a track's cover.",
            discussion: """
                Without a file, the image beside the track (cover.jpg, folder.jpg, or its name with .jpg) is shown again, \
                or the one in it.
                """)

        @OptionGroup var options: ServerOptions

        @Option(help: ArgumentHelp("A JPEG or PNG file.", valueName: "file"), completion: .file())
        var file: String?

        @Argument(help: "The track's ID or title.")
        var track: String

        @Flag(help: "Print the track as JSON.")
        var json = false

        func run() async throws {
            let changed = try await options.withClient { client in
                try await client.setCover(ofTrack: try await client.trackID(track), toFileAt: file)
            }
            print(json ? changed.json.rendered : "\(track): \(changed.cover ?? "no cover")")
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete tracks and their files.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "IDs or titles of tracks.")
        var tracks: [String]

        func run() async throws {
            try await options.withClient { client in
                for name in tracks {
                    let id = try await client.trackID(name)
                    try await client.deleteTrack(id: id)
                    output.print(id, "deleted")
                }
            }
        }
    }
}
