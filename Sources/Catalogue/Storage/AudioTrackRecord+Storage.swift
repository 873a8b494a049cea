import Database
import LibraryDetails

extension AudioTrackRecord: LibraryRecord {
    static let table = SQLTable(
        "audioTrack",
        [
            .identity("number"), .text("id", .unique), .text("title"), .text("artist", .optional),
            .text("album", .optional), .integer("year", .optional), .integer("trackNumber", .optional),
            .text("genre", .optional), .text("file", .unique), .text("sourcePath"), .text("mediaPath", .optional),
            .text("state"), .text("error", .optional), .real("ingestSeconds", .optional), .real("duration", .optional),
            .text("codec", .optional), .integer("sampleRate", .optional), .integer("channels", .optional),
            .integer("byteCount"), .text("modifiedAt"), .text("revision"), .text("cover", .optional),
            .text("coverMediaType", .optional), .text("addedAt"), .text("sortKey", .default("")),
            .text("duplicateOf", .optional), .text("details", .optional), .text("fileDetails", .optional),
            .text("uploadedCover", .optional), .text("coverFile", .optional), .text("coverOfFile", .optional),
        ], indexes: orderIndexes("audioTrack"))
    static let searchTableName = "audioTrackSearch"
    static let pieceTableName = "audioTrackPieces"
    static let fallbackID = "track"

    var searchText: String {
        // Artist and album are among the further words.
        [title, file, details.furtherWords].joined(separator: " ")
    }

    var pieceText: String { searchText }

    init(_ row: SQLRow) throws(SQLError) {
        self.init(
            id: try row.value("id"), title: try row.value("title"), artist: try row.optional("artist"),
            album: try row.optional("album"), file: try row.value("file"), sourcePath: try row.value("sourcePath"),
            state: try row.choice("state"), duration: try row.optional("duration"),
            byteCount: try row.value("byteCount"), modifiedAt: try row.date("modifiedAt"),
            revision: try row.value("revision"), addedAt: try row.date("addedAt"))
        year = try row.optional("year")
        trackNumber = try row.optional("trackNumber")
        genre = try row.optional("genre")
        describeByColumns()
        mediaPath = try row.optional("mediaPath")
        error = try row.optional("error")
        ingestSeconds = try row.optional("ingestSeconds")
        codec = try row.optional("codec")
        sampleRate = try row.optional("sampleRate")
        channels = try row.optional("channels")
        cover = try row.optional("cover")
        coverMediaType = try row.optional("coverMediaType")
        duplicateOf = try row.optional("duplicateOf")
        uploadedCover = try row.optional("uploadedCover")
        coverFile = try row.optional("coverFile").flatMap(PosterFile.init(stored:))
        coverOfFile = try row.optional("coverOfFile")
        takeDetails(shown: try row.optional("details"), ofFile: try row.optional("fileDetails"))
    }

    var values: KeyValuePairs<String, SQLValue> {
        [
            "id": .text(id), "title": .text(title), "artist": SQLValue(artist), "album": SQLValue(album),
            "year": SQLValue(year), "trackNumber": SQLValue(trackNumber), "genre": SQLValue(genre),
            "file": .text(file), "sourcePath": .text(sourcePath), "mediaPath": SQLValue(mediaPath),
            "state": .text(state.rawValue), "error": SQLValue(error), "ingestSeconds": SQLValue(ingestSeconds),
            "duration": SQLValue(duration), "codec": SQLValue(codec), "sampleRate": SQLValue(sampleRate),
            "channels": SQLValue(channels), "byteCount": .integer(byteCount),
            "modifiedAt": .text(StoredDate(modifiedAt).text), "revision": .text(revision), "cover": SQLValue(cover),
            "coverMediaType": SQLValue(coverMediaType), "addedAt": .text(StoredDate(addedAt).text),
            "sortKey": .text(SortKey(title).text), "details": storedDetails(details),
            "fileDetails": storedDetails(fileDetails),
        ]
    }
}
