import Database

/// The kinds of titles, which a column keeps, so that lists and counts of one kind are read from an index. Each
/// function runs inside the transaction of its caller.
enum TitleKindRows {
    /// The column of titles; see ``TitleRecord/kind``.
    static let column = "kind"
    /// The column of listings that says whether a title is the trailer of another one.
    static let trailerColumn = "trailer"
    /// The prefix of the names of recordings' files: the name of their folder in the data folder.
    private static let recordingPrefix = "recordings/"

    /// The rule, for a row of `title`. A file that was moved out of the folder of recordings, or renamed by an operator
    /// after a member had sent it, is a film from then on.
    private static let rule = """
        CASE
        WHEN EXISTS (
            SELECT 1 FROM titleListing AS listed
            WHERE listed.titleNumber = title.number AND listed.\(trailerColumn) = 1) THEN '\(TitleKind.trailer.rawValue)'
        WHEN EXISTS (SELECT 1 FROM heldFile AS held WHERE held.section = 'title' AND held.file = title.file)
            THEN '\(TitleKind.memberVideo.rawValue)'
        WHEN substr(title.file, 1, \(recordingPrefix.utf8.count)) = '\(recordingPrefix)'
            THEN '\(TitleKind.recording.rawValue)'
        ELSE '\(TitleKind.film.rawValue)' END
        """

    /// The condition that a title is of a kind.
    static func condition(_ kind: TitleKind) -> String { "title.\(column) = '\(kind.rawValue)'" }

    /// The condition that a row of `title` by itself is a recording.
    static let isRecording = "\(column) = '\(TitleKind.recording.rawValue)'"

    /// The condition that a title is offered by itself, which trailers are not: they belong to their films.
    static let isOffered = "title.\(column) <> '\(TitleKind.trailer.rawValue)'"

    /// Finds the kinds of all titles, and puts those that are not films into the lists of their kind.
    static func refreshAll(_ db: any SQLConnection) throws {
        try db.execute("UPDATE title SET \(column) = \(rule) WHERE \(column) <> \(rule)")
        try TitleRecord.forEach(db, where: "\(column) <> '\(TitleKind.film.rawValue)'") { record, number in
            try record.updateLists(number: number, db)
        }
    }

    /// Finds the kind of a title again.
    ///
    /// - Returns: the kind; a film if there is no such title.
    static func refresh(_ number: Int64, _ db: any SQLConnection) throws -> TitleKind {
        let row = try db.first(
            "SELECT \(column), \(rule) AS found FROM title WHERE number = ?1", [.integer(number)]
        ) { row in (stored: try row.value(column) as String, found: try row.value("found") as String) }
        guard let row else { return .film }
        if row.stored != row.found {
            try db.execute(
                "UPDATE title SET \(column) = ?1 WHERE number = ?2", .text(row.found), .integer(number))
        }
        return TitleKind(rawValue: row.found) ?? .film
    }
}
