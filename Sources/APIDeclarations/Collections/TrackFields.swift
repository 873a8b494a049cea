package import APIContract
import JSONDocument

/// The fields of a track: an audio file of the library.
package struct TrackFields: ObjectFields {
    package static let name = "Track"
    package static let fields = TrackFields()
    /// The columns of the tracks of an album.
    package static let columns = [
        TableColumn("NUMBER", fields.trackNumber), TableColumn("TITLE", fields.title, .short),
        TableColumn("ARTIST", fields.artist, .short), TableColumn("ID", fields.id),
    ]

    package let id = Field<String>(
        "id", "identifier of the track, which stays the same as long as the file keeps its name", .example("song"))
    package let title = Field<String>("title", "name of the track", .example("Mar"))
    package let artist = Field<String?>("artist", "name of the artist; null if it is not known", .example("Ana"))
    package let album = Field<String?>("album", "name of the album; null if it is not known", .example("Uno"))
    package let year = Field<Int?>("year", "year in which the track came out; null if it is not known", .optional)
    package let trackNumber = Field<Int?>(
        "trackNumber", "number of the track on its album; null if it is not known", .optional)
    package let genre = Field<String?>(
        "genre", "genres in one text, separated by commas; null if there are none", .optional, .example("Pop, Rock"))
    package let duration = Field<Double?>("duration", "duration in seconds; null if it is not known")
    package let codec = Field<String?>(
        "codec", "name of the codec; null if it is not known", .optional, .example("mp3"))
    package let sampleRate = Field<Int?>("sampleRate", "sampling rate in hertz; null if it is not known", .optional)
    package let channels = Field<Int?>("channels", "number of audio channels; null if it is not known", .optional)
    package let byteCount = Field<Int>(
        "byteCount", "size of the file in bytes", .optional, .example(.integer(5_242_880)))
    package let state = Field<String>(
        "state", "progress of the track on its way into the library; only a track that is ready can be played",
        .optional, .oneOf("queued", "probing", "indexing", "transcoding", "ready", "failed", "cancelled"))
    package let error = Field<String?>(
        "error", "reason why the track cannot be played; null if there is none", .optional)
    package let ingestSeconds = Field<Double?>(
        "ingestSeconds", "seconds that the ingest took until the track was playable or failed; null before", .optional)
    package let playlist = Field<String>(
        "playlist", "path of the track's HLS playlist", .example("/radio/song/playlist.m3u8"))
    package let manifest = Field<String>(
        "manifest", "path of the track's DASH manifest", .example("/radio/song/manifest.mpd"))
    package let file = Field<String>("file", "path of the file's content on this server", .example("/radio/song/file"))
    package let cover = Field<String?>(
        "cover", "path of the cover, which changes with the image; null if there is none",
        .example("/radio/song/cover?v=1a2b3c"))
    package let duplicateOf = Field<String?>(
        "duplicateOf", "ID of the first track with the same content; null if there is none", .optional,
        .example("song"))
    package let addedAt = Field<APITime>("addedAt", "time at which the track was added to the library", .optional)
    package let genres = Field<[String]?>("genres", "genres of the track; null if there are none", .optional)
    package let description = Field<String?>(
        "description", "description of the track; null if there is none", .optional)
    package let website = Field<String?>(
        "website", "address of a page about the track; null if there is none", .optional,
        .example("https://example.org/"))

    package init() {}
}
