package import APIContract
import JSONDocument

/// The fields of a title: a video of the library.
package struct TitleFields: ObjectFields {
    package static let name = "Title"
    package static let fields = TitleFields()

    package let id = Field<String>(
        "id", "identifier of the title, which stays the same as long as the file keeps its name", .example("film"))
    package let title = Field<String>("title", "name of the title", .example("Garden of life"))
    package let file = Field<String>("file", "path of the file in the media folder", .example("film.mp4"))
    package let kind = Field<String>(
        "kind", "kind of the title; lists have films unless they are asked for another kind", .optional,
        .oneOf("film", "trailer", "recording", "member-video"))
    package let state = Field<String>(
        "state", "progress of the title on its way into the library; only a title that is ready can be played",
        .oneOf("queued", "probing", "indexing", "transcoding", "ready", "failed", "cancelled"))
    package let progress = Field<Double?>(
        "progress", "progress of the conversion from 0 to 1; null in other states", .optional)
    package let error = Field<String?>("error", "reason why the title cannot be played; null if there is none")
    package let ingestSeconds = Field<Double?>(
        "ingestSeconds", "seconds that the ingest took until the title was playable or failed; null before")
    package let duration = Field<Double?>("duration", "duration in seconds; null if it is not known")
    package let width = Field<Int?>("width", "width of the video in pixels; null if it is not known", .optional)
    package let height = Field<Int?>("height", "height of the video in pixels; null if it is not known", .optional)
    package let frameRate = Field<Double?>("frameRate", "frames per second; null if they are not known", .optional)
    package let videoCodec = Field<String?>(
        "videoCodec", "name of the video codec; null if it is not known, and without video", .optional,
        .example("H.264"))
    package let audioCodec = Field<String?>(
        "audioCodec", "name of the audio codec; null if it is not known, and without audio", .optional, .example("AAC"))
    package let byteCount = Field<Int>(
        "byteCount", "size of the file in bytes", .optional, .example(.integer(734_003_200)))
    package let playlist = Field<String>(
        "playlist", "path of the title's HLS playlist", .example("/vod/film/playlist.m3u8"))
    package let manifest = Field<String?>(
        "manifest",
        "path of the title's DASH manifest; null if the title is encrypted with AES-128, which DASH has not",
        .optional, .example("/vod/film/manifest.mpd"))
    package let poster = Field<String?>(
        "poster", "path of the poster, which changes with the image; null if there is none",
        .example("/vod/film/poster.jpg?v=1a2b3c"))
    package let posterAt = Field<Double?>(
        "posterAt", "time of the poster in seconds, if chosen by an operator; null otherwise", .optional)
    package let storyboard = Field<String?>(
        "storyboard",
        "path of a WebVTT file with regions of image sheets (`storyboard-1.jpg#xywh=…`); null until it is made",
        .optional, .example("/vod/film/storyboard.vtt?v=1a2b3c"))
    package let leftOut = Field<String?>(
        "leftOut", "streams of the file that are not in the title, with the reasons; null if there are none", .optional)
    package let duplicateOf = Field<String?>(
        "duplicateOf", "ID of the first title with the same content; null if there is none", .optional,
        .example("film"))
    package let encrypt = Field<Bool?>(
        "encrypt", "whether the title is delivered encrypted, in any way; null if the server cannot encrypt", .optional)
    package let encryption = Field<String?>(
        "encryption",
        "how the title is delivered: none (in the clear), aes-128 (whole segments encrypted, HLS only) or cbcs (samples encrypted, HLS and DASH with ClearKey); null if the server cannot encrypt",
        .optional, .oneOf("none", "aes-128", "cbcs"))
    package let addedAt = Field<APITime>("addedAt", "time at which the title was added to the library", .optional)
    package let description = Field<String?>(
        "description", "description of the title; null if there is none", .optional)
    package let year = Field<Int?>("year", "year in which the title came out; null if it is not known", .optional)
    package let genres = Field<[String]?>("genres", "genres of the title; null if there are none", .optional)
    package let cast = Field<[String]?>("cast", "actors, the best known first; null if they are not known", .optional)
    package let ageRating = Field<String?>(
        "ageRating", "age rating, such as `12` or `PG-13`; null if there is none", .optional, .example("12"))
    package let website = Field<String?>(
        "website", "address of a page about the title; null if there is none", .optional,
        .example("https://example.org/"))
    package let series = Field<String?>(
        "series", "name of the series that an episode belongs to; null for other titles", .optional, .example("Rally"))
    package let season = Field<Int?>("season", "number of the season, 0 for specials; null if there is none", .optional)
    package let episode = Field<Int?>(
        "episode", "number of the episode in its season; null if there is none", .optional)
    package let artist = Field<String?>("artist", "artist who performs in the title; null if there is none", .optional)
    package let album = Field<String?>(
        "album", "album or collection that the title belongs to; null if there is none", .optional)

    package init() {}
}
