import APIClient
import ArgumentParser
import JSONDocument

struct AlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "album", abstract: "List a running server's albums and artists.",
        subcommands: [ListCommand<List>.self, Show.self, ListCommand<Artists>.self])

    struct List: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the albums of the tracks that can be played.",
            discussion: "Albums of the same name by different artists are listed separately.")

        @OptionGroup var list: LimitOption

        @Option(help: "Only albums of the artist with this ID; \"antena album artists\" lists them.")
        var artist: String?

        func items(_ client: ServerClient) async throws -> [JSONNode] {
            try await client.albums(ofArtist: artist, limit: list.limit)
        }

        static func table(_ items: [JSONNode]) -> String { CollectionTables.albums(items) }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "List the tracks of an album by their numbers.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var list: LimitOption
        @OptionGroup var output: TableOutput

        @Argument(help: "The ID of the album.")
        var album: String

        func run() async throws {
            let (shown, tracks) = try await options.withClient { client in
                (try await client.album(id: album), try await client.tracks(ofAlbum: album, limit: list.limit))
            }
            output.show(shown, "tracks", tracks, CollectionTables.tracks)
        }
    }

    struct Artists: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "artists",
            abstract: "List the artists of the tracks that can be played.")

        @OptionGroup var list: LimitOption

        func items(_ client: ServerClient) async throws -> [JSONNode] {
            try await client.artists(limit: list.limit)
        }

        static func table(_ items: [JSONNode]) -> String { CollectionTables.artists(items) }
    }
}
