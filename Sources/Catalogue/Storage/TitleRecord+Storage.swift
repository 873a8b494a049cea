import Database
import LibraryDetails

extension TitleRecord: LibraryRecord {
    static let table = SQLTable(
        "title",
        [
            .identity("number"), .text("id", .unique), .text("title"), .text("file", .unique), .text("sourcePath"),
            .text("mediaPath", .optional), .text("state"), .real("progress", .optional), .text("error", .optional),
            .real("ingestSeconds", .optional), .real("duration", .optional), .integer("width", .optional),
            .integer("height", .optional), .real("frameRate", .optional), .text("videoCodec", .optional),
            .text("audioCodec", .optional), .integer("byteCount"), .text("modifiedAt"), .text("revision"),
            .text("poster", .optional), .text("addedAt"), .text("sortKey", .default("")),
            .text("duplicateOf", .optional), .real("posterTime", .optional), .text("uploadedPoster", .optional),
            .text("storyboard", .optional), .text("leftOut", .optional), .text("details", .optional),
            .text("fileDetails", .optional), .text("posterFile", .optional),
            .text("kind", .default(.text(TitleKind.film.rawValue))),
        ],
        indexes: orderIndexes("title") + [
            SQLIndex("title_kindNewest", "kind", "state", "number"),
            SQLIndex("title_kindOrder", "kind", "sortKey", "id"),
            // Titles of any state, which `title_kindNewest` has in the order of states first.
            SQLIndex("title_kindNumber", "kind", "number"),
            SQLIndex("title_kindDuration", "kind", "(\(RecordOrder.durationKey))", "id"),
        ])
    static let searchTableName = "titleSearch"
    static let fallbackID = "title"

    var searchText: String { "\(title) \(file) \(details.furtherWords)" }

    init(_ row: SQLRow) throws(SQLError) {
        self.init(
            id: try row.value("id"), title: try row.value("title"), file: try row.value("file"),
            sourcePath: try row.value("sourcePath"), state: try row.choice("state"),
            duration: try row.optional("duration"), byteCount: try row.value("byteCount"),
            modifiedAt: try row.date("modifiedAt"), revision: try row.value("revision"),
            addedAt: try row.date("addedAt"))
        mediaPath = try row.optional("mediaPath")
        progress = try row.optional("progress")
        error = try row.optional("error")
        ingestSeconds = try row.optional("ingestSeconds")
        width = try row.optional("width")
        height = try row.optional("height")
        frameRate = try row.optional("frameRate")
        videoCodec = try row.optional("videoCodec")
        audioCodec = try row.optional("audioCodec")
        poster = try row.optional("poster")
        duplicateOf = try row.optional("duplicateOf")
        posterTime = try row.optional("posterTime")
        uploadedPoster = try row.optional("uploadedPoster")
        storyboard = try row.optional("storyboard")
        leftOut = try row.optional("leftOut")
        posterFile = try row.optional("posterFile").flatMap(PosterFile.init(stored:))
        // A kind of a later version is one of this one's films.
        kind = TitleKind(rawValue: try row.value("kind")) ?? .film
        takeDetails(shown: try row.optional("details"), ofFile: try row.optional("fileDetails"))
    }

    var values: KeyValuePairs<String, SQLValue> {
        [
            "id": .text(id), "title": .text(title), "file": .text(file), "sourcePath": .text(sourcePath),
            "mediaPath": SQLValue(mediaPath), "state": .text(state.rawValue), "progress": SQLValue(progress),
            "error": SQLValue(error), "ingestSeconds": SQLValue(ingestSeconds), "duration": SQLValue(duration),
            "width": SQLValue(width), "height": SQLValue(height), "frameRate": SQLValue(frameRate),
            "videoCodec": SQLValue(videoCodec), "audioCodec": SQLValue(audioCodec), "byteCount": .integer(byteCount),
            "modifiedAt": .text(StoredDate(modifiedAt).text), "revision": .text(revision), "poster": SQLValue(poster),
            "addedAt": .text(StoredDate(addedAt).text), "sortKey": .text(SortKey(title).text),
            "storyboard": SQLValue(storyboard), "leftOut": SQLValue(leftOut), "details": storedDetails(details),
            "fileDetails": storedDetails(fileDetails),
        ]
    }
}
