import Accounts
import Catalogue
import Database
import MediaCore

/// The rows of members' uploads. Each function runs inside the transaction of its caller.
enum UploadRows {
    private static let title = JoinedTitle()
    private static let columns = """
        \(UploadSchema.uploads.columnList(of: "u", without: "titleNumber", "isOpen", "video")),
        \(title.id) AS titleID, \(title.title) AS titleName, \(title.state) AS titleState,
        \(title.progress) AS titleProgress, \(title.error) AS titleError, \(title.duration) AS titleDuration,
        \(title.hasPoster) AS hasPoster, v.id AS videoID, v.name AS videoName
        """

    private static let tables = """
        memberUpload AS u \(title.leftJoin("u.titleNumber"))
        LEFT JOIN communityVideo AS v ON v.number = u.video
        """

    private static func upload(_ row: SQLRow) throws -> MemberUpload {
        var title: UploadedTitle?
        if let id: String = try row.optional("titleID") {
            let state: String = try row.value("titleState")
            title = UploadedTitle(
                id: id, name: try row.value("titleName"), state: TitleState(rawValue: state) ?? .failed,
                progress: try row.optional("titleProgress"), error: try row.optional("titleError"),
                duration: try row.optional("titleDuration"),
                hasPoster: try row.flag("hasPoster"))
        }
        return MemberUpload(
            number: try row.value("number"), id: try row.value("id"), owner: try row.optional("ownerID"),
            upload: try row.optional("upload"),
            file: try row.value("file"), fileName: try row.value("fileName"), byteCount: try row.value("byteCount"),
            contents: VideoContents(stored: try row.value("contents")), isWanted: try row.flag("isWanted"),
            problem: try row.optional("problem"),
            isPrepared: try row.flag("isPrepared"), isRemoved: try row.flag("isRemoved"), title: title,
            video: try row.optional("videoID"), videoName: try row.optional("videoName"),
            createdAt: try row.time("createdAt"),
            revision: try row.value("revision"))
    }

    // MARK: Questions

    /// - Parameter locks: whether nobody else may change it until the end of the transaction.
    static func upload(_ id: OpaqueID, locks: Bool = false, _ db: any SQLConnection) throws -> MemberUpload? {
        if locks, !db.dialect.rowLock.isEmpty {
            guard try db.exists("SELECT 1 FROM memberUpload WHERE id = ?1\(db.dialect.rowLock)", .text(id.text)) else {
                return nil
            }
        }
        return try db.first("SELECT \(columns) FROM \(tables) WHERE u.id = ?1", [.text(id.text)], upload)
    }

    /// An upload of a member that is not to be deleted.
    ///
    /// - Throws: `Refusal` with `notFound`.
    static func required(
        _ id: OpaqueID, of owner: UserID, locks: Bool = false, _ db: any SQLConnection
    ) throws -> MemberUpload {
        guard let upload = try upload(id, locks: locks, db), upload.owner == owner, !upload.isRemoved else {
            throw Refusal(.notFound, "there is no such upload")
        }
        return upload
    }

    static func page(
        of owner: UserID, before number: Int64, limit: Int, _ db: any SQLConnection
    ) throws -> [MemberUpload] {
        try db.rows(
            """
            SELECT \(columns) FROM \(tables)
            WHERE u.ownerID = ?1 AND u.number < ?2 AND u.isRemoved = 0 ORDER BY u.number DESC LIMIT ?3
            """, [.text(owner.text), .integer(number), SQLValue(limit)], upload)
    }

    /// The uploads of a member whose files are not complete.
    static func unfinished(of owner: UserID, _ db: any SQLConnection) throws -> [MemberUpload] {
        try db.rows(
            """
            SELECT \(columns) FROM \(tables)
            WHERE u.ownerID = ?1 AND u.titleNumber IS NULL AND u.isRemoved = 0 ORDER BY u.number LIMIT ?2
            """, [.text(owner.text), .integer(MemberUpload.maximumUnfinishedCount)], upload)
    }

    /// The uploads with which the server has something to do.
    ///
    /// - Parameter time: those without a title from before it may have been given up.
    static func open(
        after number: Int64, createdBefore time: WallClockTime, limit: Int, _ db: any SQLConnection
    ) throws -> [MemberUpload] {
        try db.rows(
            """
            SELECT \(columns) FROM \(tables)
            WHERE u.isOpen = 1 AND u.number > ?1 AND (u.isRemoved = 1 OR \(title.isReady)
                OR (\(title.hasFailed) AND u.problem IS NULL)
                OR (u.titleNumber IS NULL AND u.createdAt < ?2))
            ORDER BY u.number LIMIT ?3
            """, [.integer(number), .time(time), SQLValue(limit)], upload)
    }

    static func byteCount(of owner: UserID, _ db: any SQLConnection) throws -> Int64 {
        try db.firstValue(
            "SELECT CAST(COALESCE(SUM(byteCount), 0) AS \(db.dialect.name(of: .integer))) FROM memberUpload WHERE ownerID = ?1",
            .text(owner.text)) ?? 0
    }

    static func unfinishedCount(of owner: UserID, _ db: any SQLConnection) throws -> Int64 {
        try db.firstValue(
            "SELECT COUNT(*) FROM memberUpload WHERE ownerID = ?1 AND titleNumber IS NULL AND isRemoved = 0",
            .text(owner.text)) ?? 0
    }

    /// Whether a title is made of a member's file.
    static func owner(ofTitle id: String, _ db: any SQLConnection) throws -> UserID? {
        try db.firstValue(
            """
            SELECT ownerID FROM memberUpload WHERE isRemoved = 0 AND titleNumber = \(TitleRows.number(ofID: "?1"))
            """, .text(id))
    }

    // MARK: Changes

    static func insert(
        _ id: OpaqueID, owner: UserID, file: String, fileName: String, byteCount: Int64, _ contents: VideoContents,
        at now: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.insert(
            [
                "id": .text(id.text), "ownerID": .text(owner.text), "file": .text(file), "fileName": .text(fileName),
                "byteCount": .integer(byteCount), "contents": .text(contents.stored), "isWanted": 0, "isPrepared": 0,
                "isRemoved": 0, "isOpen": 1, "createdAt": .time(now), "revision": 1,
            ], into: UploadSchema.uploads)
        try HeldFileRows.add(file, in: .titles, db)
    }

    static func set(_ upload: String, of id: OpaqueID, _ db: any SQLConnection) throws {
        try db.execute("UPDATE memberUpload SET upload = ?2 WHERE id = ?1", .text(id.text), .text(upload))
    }

    /// Writes what a member says of a video that is not published.
    static func write(_ upload: MemberUpload, _ db: any SQLConnection) throws {
        try db.execute(
            """
            UPDATE memberUpload SET contents = ?2, isWanted = ?3, problem = ?4, isOpen = 1, revision = revision + 1
            WHERE number = ?1
            """, .integer(upload.number), .text(upload.contents.stored), .flag(upload.isWanted),
            SQLValue(upload.problem))
    }

    /// The uploads whose files have become titles that they do not name yet.
    private static let linkable =
        "isOpen = 1 AND titleNumber IS NULL AND \(TitleRows.exists(file: "memberUpload.file"))"

    /// Whether ``link(_:)`` finds anything.
    static func canBeLinked(_ db: any SQLConnection) throws -> Bool {
        try db.exists("SELECT 1 FROM memberUpload WHERE \(linkable) LIMIT 1")
    }

    /// Finds the titles that were made of complete files.
    static func link(_ db: any SQLConnection) throws {
        try db.execute(
            """
            UPDATE memberUpload SET titleNumber = \(TitleRows.number(ofFile: "memberUpload.file"))
            WHERE \(linkable)
            """)
    }

    /// Notes whose video plays a title.
    static func note(video: Int64, ofTitle title: Int64, _ db: any SQLConnection) throws {
        try db.execute(
            """
            UPDATE memberUpload SET video = ?2, isWanted = 0, problem = NULL, isOpen = 1, revision = revision + 1
            WHERE titleNumber = ?1 AND isRemoved = 0
            """, .integer(title), .integer(video))
    }

    /// - Returns: `false` if it was changed meanwhile.
    static func close(_ upload: MemberUpload, _ db: any SQLConnection) throws -> Bool {
        let count = try db.execute(
            "UPDATE memberUpload SET isPrepared = 1, isOpen = 0 WHERE number = ?1 AND revision = ?2 AND isRemoved = 0",
            .integer(upload.number), .integer(upload.revision))
        return count > 0
    }

    /// Has a file and its title deleted.
    static func remove(_ upload: MemberUpload, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE memberUpload SET isRemoved = 1, isOpen = 1 WHERE number = ?1", .integer(upload.number))
    }

    /// The upload of which a title was made; `nil` if it is a title of the station.
    static func id(ofTitle title: String, _ db: any SQLConnection) throws -> OpaqueID? {
        let id: String? = try db.firstValue(
            "SELECT id FROM memberUpload WHERE titleNumber = \(TitleRows.number(ofID: "?1"))", .text(title))
        return id.flatMap { OpaqueID(parsing: $0) }
    }

    /// Has the file of a title and the title deleted.
    ///
    /// - Returns: `false` if the title is not a member's.
    static func remove(title id: String, _ db: any SQLConnection) throws -> Bool {
        let count = try db.execute(
            """
            UPDATE memberUpload SET isRemoved = 1, isOpen = 1
            WHERE titleNumber = \(TitleRows.number(ofID: "?1"))
            """, .text(id))
        return count > 0
    }

    /// Has everything that a member has sent deleted.
    static func forget(_ owner: UserID, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE memberUpload SET isRemoved = 1, isOpen = 1, ownerID = NULL WHERE ownerID = ?1", .text(owner.text))
    }

    /// Gives up those whose titles were deleted.
    static func removeWithoutTitle(_ db: any SQLConnection) throws {
        try db.execute(
            """
            UPDATE memberUpload SET isRemoved = 1, isOpen = 1
            WHERE isRemoved = 0 AND titleNumber IS NOT NULL
            AND NOT \(TitleRows.exists(number: "memberUpload.titleNumber"))
            """)
    }

    static func delete(_ upload: MemberUpload, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM memberUpload WHERE number = ?1", .integer(upload.number))
        try HeldFileRows.remove(upload.file, in: .titles, db)
    }
}
