package import APIContract
import MediaCore

/// The operations of the API for collections.
package enum CollectionAPI {
    package static let listGenres = APIOperation(
        .get, "/api/v1/genres", "listGenres", "The genres of the titles that can be played",
        "In alphabetical order, 200 at most. 401 if lists are for members.",
        answer: .page(of: GenreFields.self, "Genres")
    )
    .failing(with: APIProblem(401, .credentialNeeded))

    package static let listSeries = APIOperation(
        .get, "/api/v1/series", "listSeries", "The series of the titles that can be played",
        "In alphabetical order. A series is its name, however its letters are written. What the sender may not be shown is left out and not counted. 401 if lists are for members.",
        parameters: [.limit, .cursor], answer: .page(of: SeriesFields.self, "A page")
    )
    .refusing(.invalidCursor)
    .failing(with: APIProblem(401, .credentialNeeded))

    package static let getSeries = APIOperation(
        .get, "/api/v1/series/{id}", "getSeries", "A series", "404 if the sender may be shown none of its titles, too.",
        parameters: [.id], answer: .object(SeriesFields.self, "It")
    )
    .failing(with: APIProblem(401, .credentialNeeded))

    package static let listTitlesOfSeries = APIOperation(
        .get, "/api/v1/series/{id}/titles", "listTitlesOfSeries", "The titles of a series",
        "By season, number of the episode, and title; those without a number come last.",
        parameters: [.id, .limit, .cursor], answer: .page(of: ListedTitleFields.self, "A page")
    )
    .refusing(.invalidCursor)
    .failing(with: APIProblem(401, .credentialNeeded))

    package static let listAlbums = APIOperation(
        .get, "/api/v1/albums", "listAlbums", "The albums of the tracks that can be played",
        "In alphabetical order. The same name of two artists is two albums.",
        parameters: [
            .limit, .cursor,
            .query(
                Field<String>(
                    "artist", "ID of the artist of the albums; all if missing", .optional, .pattern("^[0-9a-f]{24}$"))),
        ], answer: .page(of: AlbumFields.self, "A page")
    )
    .refusing(.invalidCursor)

    package static let getAlbum = APIOperation(
        .get, "/api/v1/albums/{id}", "getAlbum", "An album", "404 if the sender may be shown none of its tracks, too.",
        parameters: [.id], answer: .object(AlbumFields.self, "It"))

    package static let listTracksOfAlbum = APIOperation(
        .get, "/api/v1/albums/{id}/tracks", "listTracksOfAlbum", "The tracks of an album",
        "By number and title; those without a number come last.", parameters: [.id, .limit, .cursor],
        answer: .page(of: TrackFields.self, "A page")
    )
    .refusing(.invalidCursor)

    package static let listArtists = APIOperation(
        .get, "/api/v1/artists", "listArtists", "The artists of the tracks that can be played",
        "In alphabetical order.", parameters: [.limit, .cursor], answer: .page(of: ArtistFields.self, "A page")
    )
    .refusing(.invalidCursor)
}
