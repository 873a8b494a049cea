import Database
import LibraryDetails

extension TitleRecord: LibraryRecord {
    static let table = SQLTable("title", Column.tableColumns, key: ["number"], isNumbered: true)
    static let searchTableName = "titleSearch"
    static let fallbackID = "title"
    static let sortKeyColumn = Column.sortKey
    static let numberColumn = Column.number
    static let durationColumn = Column.duration
    static let writtenColumns = Column.allCases.filter { column in
        ![.number, .duplicateOf, .posterTime, .uploadedPoster, .posterFile, .kind].contains(column)
    }

    var searchText: String { "\(title) \(file) \(details.furtherWords)" }

    enum Column: Int, RecordColumn {
        case number, id, title, file, sourcePath, mediaPath, state, progress, error, ingestSeconds, duration, width
        case height, frameRate, videoCodec, audioCodec, byteCount, modifiedAt, revision, poster, addedAt, sortKey
        case duplicateOf, posterTime, uploadedPoster, storyboard, leftOut, details, fileDetails, posterFile, kind

        var type: SQLColumnType {
            switch self {
            case .number, .width, .height, .byteCount: .integer
            case .progress, .ingestSeconds, .duration, .frameRate, .posterTime: .real
            case .id, .title, .file, .sourcePath, .mediaPath, .state, .error, .videoCodec, .audioCodec, .modifiedAt,
                .revision, .poster, .addedAt, .sortKey, .duplicateOf, .uploadedPoster, .storyboard, .leftOut, .details,
                .fileDetails, .posterFile, .kind:
                .text
            }
        }
    }

    init(_ row: RecordRow<Column>) throws(SQLError) {
        self.init(
            id: try row.value(.id), title: try row.value(.title), file: try row.value(.file),
            sourcePath: try row.value(.sourcePath), mediaPath: try row.optional(.mediaPath),
            state: try row.choice(.state), progress: try row.optional(.progress), error: try row.optional(.error),
            ingestSeconds: try row.optional(.ingestSeconds), duration: try row.optional(.duration),
            width: try row.optional(.width), height: try row.optional(.height),
            frameRate: try row.optional(.frameRate), videoCodec: try row.optional(.videoCodec),
            audioCodec: try row.optional(.audioCodec), byteCount: try row.value(.byteCount),
            modifiedAt: try row.date(.modifiedAt), revision: try row.value(.revision),
            poster: try row.optional(.poster), addedAt: try row.date(.addedAt))
        duplicateOf = try row.optional(.duplicateOf)
        posterTime = try row.optional(.posterTime)
        uploadedPoster = try row.optional(.uploadedPoster)
        storyboard = try row.optional(.storyboard)
        leftOut = try row.optional(.leftOut)
        posterFile = try row.optional(.posterFile).flatMap(PosterFile.init(stored:))
        // A kind of a later version is one of this one's films.
        kind = TitleKind(rawValue: try row.value(.kind)) ?? .film
        takeDetails(shown: try row.optional(.details), ofFile: try row.optional(.fileDetails))
    }

    func value(of column: Column) -> SQLValue {
        switch column {
        // Given by the database.
        case .number: .null
        case .id: .text(id)
        case .title: .text(title)
        case .file: .text(file)
        case .sourcePath: .text(sourcePath)
        case .mediaPath: SQLValue(mediaPath)
        case .state: .text(state.rawValue)
        case .progress: SQLValue(progress)
        case .error: SQLValue(error)
        case .ingestSeconds: SQLValue(ingestSeconds)
        case .duration: SQLValue(duration)
        case .width: SQLValue(width)
        case .height: SQLValue(height)
        case .frameRate: SQLValue(frameRate)
        case .videoCodec: SQLValue(videoCodec)
        case .audioCodec: SQLValue(audioCodec)
        case .byteCount: .integer(byteCount)
        case .modifiedAt: .text(StoredDate(modifiedAt).text)
        case .revision: .text(revision)
        case .poster: SQLValue(poster)
        case .addedAt: .text(StoredDate(addedAt).text)
        case .sortKey: .text(SortKey(title).text)
        case .duplicateOf: SQLValue(duplicateOf)
        case .posterTime: SQLValue(posterTime)
        case .uploadedPoster: SQLValue(uploadedPoster)
        case .storyboard: SQLValue(storyboard)
        case .leftOut: SQLValue(leftOut)
        case .details: storedDetails(details)
        case .fileDetails: storedDetails(fileDetails)
        case .posterFile: SQLValue(posterFile?.stored)
        case .kind: .text(kind.rawValue)
        }
    }
}
