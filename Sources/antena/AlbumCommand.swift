import APIClient
import ArgumentParser

struct AlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "album", abstract: "List a running server's albums and artists.",
        subcommands: [List.self, Show.self, Artists.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the albums of the tracks that can be played.",
            discussion: "Albums of the same name by different artists are listed separately.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var list: TableOptions

        @Option(help: "Only albums of the artist with this ID; \"antena album artists\" lists them.")
        var artist: String?

        func run() async throws {
            let albums = try await options.withClient {
                try await $0.albums(ofArtist: artist, limit: list.limit)
            }
            list.show(albums, CollectionTables.albums)
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "List the tracks of an album by their numbers.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var list: TableOptions

        @Argument(help: "The ID of the album.")
        var album: String

        func run() async throws {
            let (shown, tracks) = try await options.withClient { client in
                (try await client.album(id: album), try await client.tracks(ofAlbum: album, limit: list.limit))
            }
            list.show(shown, "tracks", tracks, CollectionTables.tracks)
        }
    }

    struct Artists: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "artists",
            abstract: "List the artists of the tracks that can be played.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var list: TableOptions

        func run() async throws {
            list.show(
                try await options.withClient { try await $0.artists(limit: list.limit) }, CollectionTables.artists)
        }
    }
}
