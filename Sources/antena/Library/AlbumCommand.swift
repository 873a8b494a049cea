import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

struct AlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "album", abstract: "List a running server's albums and artists.",
        subcommands: [ListCommand<List>.self, ShowCollectionCommand<Show>.self, ListCommand<Artists>.self])

    struct List: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the albums of the tracks that can be played.",
            discussion: "Albums of the same name by different artists are listed separately.")
        static let nothing = "no albums"

        @OptionGroup var list: LimitOption

        @Option(help: "Only albums of the artist with this ID; \"antena album artists\" lists them.")
        var artist: String?

        func items(_ client: ServerClient) async throws -> [APIObject<AlbumFields>] {
            try await client.albums(ofArtist: artist, limit: list.limit)
        }
    }

    struct Show: ShownCollection {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "List the tracks of an album by their numbers.")
        static let member = "tracks"
        static let nothing = "no tracks"

        @OptionGroup var list: LimitOption

        @Argument(help: "The ID of the album.")
        var album: String

        func collection(_ client: ServerClient) async throws -> APIObject<AlbumFields> {
            try await client.album(id: album)
        }

        func items(_ client: ServerClient) async throws -> [APIObject<TrackFields>] {
            try await client.tracks(ofAlbum: album, limit: list.limit)
        }

        static func heading(_ collection: APIObject<AlbumFields>) -> String { collection.name ?? "" }
    }

    struct Artists: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "artists",
            abstract: "List the artists of the tracks that can be played.")
        static let nothing = "no artists"

        @OptionGroup var list: LimitOption

        func items(_ client: ServerClient) async throws -> [APIObject<ArtistFields>] {
            try await client.artists(limit: list.limit)
        }
    }
}
