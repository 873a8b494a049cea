import Database
import LibraryDetails

extension AudioTrackRecord: LibraryRecord {
    static let table = SQLTable("audioTrack", Column.tableColumns, key: ["number"], isNumbered: true)
    static let searchTableName = "audioTrackSearch"
    static let pieceTableName = "audioTrackPieces"
    static let fallbackID = "track"
    static let sortKeyColumn = Column.sortKey
    static let numberColumn = Column.number
    static let durationColumn = Column.duration
    static let writtenColumns = Column.allCases.filter { column in
        ![.number, .duplicateOf, .uploadedCover, .coverFile, .coverOfFile].contains(column)
    }

    var searchText: String {
        // Artist and album are among the further words.
        [title, file, details.furtherWords].joined(separator: " ")
    }

    var pieceText: String { searchText }

    enum Column: Int, RecordColumn {
        case number, id, title, artist, album, year, trackNumber, genre, file, sourcePath, mediaPath, state, error
        case ingestSeconds, duration, codec, sampleRate, channels, byteCount, modifiedAt, revision, cover
        case coverMediaType, addedAt, sortKey, duplicateOf, details, fileDetails, uploadedCover, coverFile
        case coverOfFile

        var type: SQLColumnType {
            switch self {
            case .number, .year, .trackNumber, .sampleRate, .channels, .byteCount: .integer
            case .ingestSeconds, .duration: .real
            case .id, .title, .artist, .album, .genre, .file, .sourcePath, .mediaPath, .state, .error, .codec,
                .modifiedAt, .revision, .cover, .coverMediaType, .addedAt, .sortKey, .duplicateOf, .details,
                .fileDetails, .uploadedCover, .coverFile, .coverOfFile:
                .text
            }
        }
    }

    init(_ row: RecordRow<Column>) throws(SQLError) {
        self.init(
            id: try row.value(.id), title: try row.value(.title), artist: try row.optional(.artist),
            album: try row.optional(.album), year: try row.optional(.year),
            trackNumber: try row.optional(.trackNumber), genre: try row.optional(.genre), file: try row.value(.file),
            sourcePath: try row.value(.sourcePath), mediaPath: try row.optional(.mediaPath),
            state: try row.choice(.state), error: try row.optional(.error),
            ingestSeconds: try row.optional(.ingestSeconds), duration: try row.optional(.duration),
            codec: try row.optional(.codec), sampleRate: try row.optional(.sampleRate),
            channels: try row.optional(.channels), byteCount: try row.value(.byteCount),
            modifiedAt: try row.date(.modifiedAt), revision: try row.value(.revision),
            cover: try row.optional(.cover), coverMediaType: try row.optional(.coverMediaType),
            addedAt: try row.date(.addedAt))
        duplicateOf = try row.optional(.duplicateOf)
        uploadedCover = try row.optional(.uploadedCover)
        coverFile = try row.optional(.coverFile).flatMap(PosterFile.init(stored:))
        coverOfFile = try row.optional(.coverOfFile)
        takeDetails(shown: try row.optional(.details), ofFile: try row.optional(.fileDetails))
    }

    func value(of column: Column) -> SQLValue {
        switch column {
        // Given by the database.
        case .number: .null
        case .id: .text(id)
        case .title: .text(title)
        case .artist: SQLValue(artist)
        case .album: SQLValue(album)
        case .year: SQLValue(year)
        case .trackNumber: SQLValue(trackNumber)
        case .genre: SQLValue(genre)
        case .file: .text(file)
        case .sourcePath: .text(sourcePath)
        case .mediaPath: SQLValue(mediaPath)
        case .state: .text(state.rawValue)
        case .error: SQLValue(error)
        case .ingestSeconds: SQLValue(ingestSeconds)
        case .duration: SQLValue(duration)
        case .codec: SQLValue(codec)
        case .sampleRate: SQLValue(sampleRate)
        case .channels: SQLValue(channels)
        case .byteCount: .integer(byteCount)
        case .modifiedAt: .text(StoredDate(modifiedAt).text)
        case .revision: .text(revision)
        case .cover: SQLValue(cover)
        case .coverMediaType: SQLValue(coverMediaType)
        case .addedAt: .text(StoredDate(addedAt).text)
        case .sortKey: .text(SortKey(title).text)
        case .duplicateOf: SQLValue(duplicateOf)
        case .details: storedDetails(details)
        case .fileDetails: storedDetails(fileDetails)
        case .uploadedCover: SQLValue(uploadedCover)
        case .coverFile: SQLValue(coverFile?.stored)
        case .coverOfFile: SQLValue(coverOfFile)
        }
    }
}
