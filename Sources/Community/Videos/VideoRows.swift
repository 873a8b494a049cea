import Accounts
import Catalogue
import Database
import MediaCore

/// The rows of videos. Each function runs inside the transaction of its caller.
enum VideoRows {
    static let title = JoinedTitle()

    /// The columns of ``video(_:)`` without the last one, of `communityVideo` as `v`, `videoCount` as `c`, ``title``,
    /// and those of ``ProfileRows/account`` and `competition` that there are.
    static let columns = """
        \(VideoSchema.videos.columnList(of: "v", without: "titleNumber", "competition")), \(title.id) AS titleID,
        \(ProfileRows.account.username) AS ownerName, competition.id AS competitionID,
        competition.name AS competitionName, c.likes, c.comments, c.views, \(title.hasPoster) AS hasPoster
        """

    /// The last column of a row.
    static func isLiked(by parameter: String) -> String {
        """
        CASE WHEN EXISTS (SELECT 1 FROM videoLike WHERE video = v.number AND userID = \(parameter)) THEN 1 ELSE 0 END
            AS isLiked
        """
    }

    static func video(_ row: SQLRow) throws -> Video {
        let tags: String = try row.value("tags")
        let (latitude, longitude): (Double?, Double?) = (try row.optional("latitude"), try row.optional("longitude"))
        let place = latitude.flatMap { latitude in
            longitude.flatMap { GeographicPoint(latitude: latitude, longitude: $0) }
        }
        return Video(
            number: try row.value("number"), id: try row.value("id"), title: try row.value("titleID"),
            owner: try row.optional("ownerID"),
            ownerName: try row.optional("ownerName"), name: try row.value("name"), text: try row.value("text"),
            tags: tags.split(separator: "\n").map(String.init), competition: try row.optional("competitionID"),
            competitionName: try row.optional("competitionName"),
            day: (try row.optional("day") as Int64?).map { Int($0) }, place: place,
            // What a later version has written is the strictest for this one.
            visibility: VideoVisibility(rawValue: try row.value("visibility")) ?? .unlisted,
            commentPolicy: CommentPolicy(rawValue: try row.value("commentPolicy")) ?? .closed,
            state: VideoState(rawValue: try row.value("state")) ?? .hidden, publishedAt: try row.time("publishedAt"),
            changedAt: try row.time("changedAt"), revision: try row.value("revision"),
            counts: VideoCounts(
                likes: try row.value("likes"), comments: try row.value("comments"), views: try row.value("views")),
            hasPoster: try row.flag("hasPoster"), isLiked: try row.flag("isLiked"))
    }

    /// The video with an ID; `nil` if there is none, or its title was deleted.
    ///
    /// - Parameters:
    ///   - reader: whose like is wanted; `nil` for nobody's.
    ///   - locks: whether nobody else changes the video until the end of the transaction.
    static func video(
        _ id: OpaqueID, reader: UserID?, locks: Bool = false, _ db: any SQLConnection
    ) throws -> Video? {
        if locks, !db.dialect.rowLock.isEmpty {
            guard
                try db.exists(
                    "SELECT 1 FROM communityVideo WHERE id = ?1\(db.dialect.rowLock)", .text(id.text))
            else { return nil }
        }
        return try db.first(
            """
            SELECT \(columns), \(isLiked(by: "?2")) FROM communityVideo AS v
            JOIN videoCount AS c ON c.video = v.number \(title.join("v.titleNumber"))
            \(ProfileRows.shownAccount("v.ownerID")) LEFT JOIN competition ON competition.number = v.competition
            WHERE v.id = ?1
            """, [.text(id.text), .text(reader?.text ?? "")], video)
    }

    /// - Throws: `Refusal` with `notFound`.
    static func required(
        _ id: OpaqueID, reader: UserID?, locks: Bool = false, _ db: any SQLConnection
    ) throws -> Video {
        guard let video = try video(id, reader: reader, locks: locks, db) else {
            throw Refusal(.notFound, "there is no such video")
        }
        return video
    }

    static func page(_ list: VideoList, _ db: any SQLConnection) throws -> [Video] {
        try db.rows(list.sql, list.arguments, video)
    }

    // MARK: Changes

    /// Adds a video with its counters.
    ///
    /// - Returns: `false` if the title has a video already.
    static func insert(
        _ contents: VideoContents, id: OpaqueID, title: TitleRows.Reference, owner: UserID?, competition: Int64?,
        at now: WallClockTime, _ db: any SQLConnection
    ) throws -> Bool {
        let number: Int64? = try db.firstValue(
            """
            INSERT INTO communityVideo(
                id, titleNumber, ownerID, name, text, tags, competition, day, visibility, commentPolicy, state,
                latitude, longitude, publishedAt, changedAt, revision)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?14, 1)
            ON CONFLICT (titleNumber) DO NOTHING RETURNING number
            """, .text(id.text), .integer(title.number), SQLValue(owner?.text), .text(contents.name),
            .text(contents.text), .text(contents.tags.joined(separator: "\n")), SQLValue(competition),
            SQLValue(contents.day), .text(contents.visibility.rawValue), .text(contents.commentPolicy.rawValue),
            .text(VideoState.shown.rawValue), SQLValue(contents.place?.latitude), SQLValue(contents.place?.longitude),
            .time(now))
        guard let number else { return false }
        try db.insert(
            [
                "video": .integer(number), "isListed": 0, "ownerID": SQLValue(owner?.text),
                "competition": SQLValue(competition), "day": SQLValue(contents.day), "likes": 0, "comments": 0,
                "views": 0,
            ], into: VideoSchema.counts)
        try index(contents, number, db)
        // What was published just now is not hidden, so that it does not matter who has sent it.
        try place(number, title: title.id, isUpload: false, contents.visibility, .shown, owner: owner, db)
        return true
    }

    /// Writes what the owner says of a video.
    ///
    /// - Parameters:
    ///   - isUpload: whether a member has sent the title.
    ///   - releases: whether the audience of the title that it had holds again, which is the station's.
    static func update(
        _ video: Video, _ contents: VideoContents, title: TitleRows.Reference, isUpload: Bool, releases: Bool,
        competition: Int64?, at now: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.execute(
            """
            UPDATE communityVideo SET
                name = ?2, text = ?3, tags = ?4, competition = ?5, day = ?6, visibility = ?7, commentPolicy = ?8,
                latitude = ?9, longitude = ?10, changedAt = ?11, titleNumber = ?12, revision = revision + 1
            WHERE number = ?1
            """, .integer(video.number), .text(contents.name), .text(contents.text),
            .text(contents.tags.joined(separator: "\n")), SQLValue(competition), SQLValue(contents.day),
            .text(contents.visibility.rawValue), .text(contents.commentPolicy.rawValue),
            SQLValue(contents.place?.latitude), SQLValue(contents.place?.longitude), .time(now),
            .integer(title.number))
        try db.execute(
            "UPDATE videoCount SET competition = ?2, day = ?3 WHERE video = ?1", .integer(video.number),
            SQLValue(competition), SQLValue(contents.day))
        try VideoText.delete(video.number, db)
        try index(contents, video.number, db)
        if releases { try AudienceRows.hold(nil, in: .titles, of: video.title, db) }
        try place(
            video.number, title: title.id, isUpload: isUpload, contents.visibility, video.state, owner: video.owner, db)
    }

    private static func index(_ contents: VideoContents, _ number: Int64, _ db: any SQLConnection) throws {
        try VideoText.insert([contents.name, contents.tags.joined(separator: " "), contents.text], of: number, db)
    }

    /// - Parameter isUpload: whether a member has sent the title.
    static func setState(_ state: VideoState, of video: Video, isUpload: Bool, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE communityVideo SET state = ?2, revision = revision + 1 WHERE number = ?1", .integer(video.number),
            .text(state.rawValue))
        try place(
            video.number, title: video.title, isUpload: isUpload, video.visibility, state, owner: video.owner, db)
    }

    /// Puts a video into lists or takes it out of them, and keeps its title from those who must not find it. What was
    /// hidden keeps the file of a member from everybody; a film of the station is watched as before, because moderation
    /// decides on the video, and not on its title.
    private static func place(
        _ number: Int64, title: String, isUpload: Bool, _ visibility: VideoVisibility, _ state: VideoState,
        owner: UserID?, _ db: any SQLConnection
    ) throws {
        try setListed(visibility == .public && state == .shown, number, owner: owner, db)
        let isKept = isUpload && state == .hidden
        let reason: HoldReason? = isKept ? .hidden : visibility == .unlisted ? .unlisted : nil
        try AudienceRows.hold(reason, in: .titles, of: title, db)
    }

    private static func setListed(
        _ isListed: Bool, _ number: Int64, owner: UserID?, _ db: any SQLConnection
    ) throws {
        let count = try db.execute(
            "UPDATE videoCount SET isListed = ?2 WHERE video = ?1 AND isListed <> ?2", .integer(number),
            .flag(isListed))
        if count > 0, let owner { try MemberCountRows.add(isListed ? 1 : -1, .videos, of: owner, db) }
    }

    /// Removes a video with everything about it; its title stays.
    ///
    /// - Parameter releases: whether the audience of the title holds again, which is the station's.
    static func delete(_ video: Video, releases: Bool, _ db: any SQLConnection) throws {
        try setListed(false, video.number, owner: video.owner, db)
        try VideoText.delete(video.number, db)
        if releases { try AudienceRows.hold(nil, in: .titles, of: video.title, db) }
        try db.execute("DELETE FROM communityVideo WHERE number = ?1", .integer(video.number))
    }

    /// Removes a video whose title was deleted.
    static func deleteWithoutTitle(_ number: Int64, _ db: any SQLConnection) throws {
        let owner: UserID? = try db.firstValue(
            "SELECT ownerID FROM communityVideo WHERE number = ?1", .integer(number))
        try setListed(false, number, owner: owner, db)
        try VideoText.delete(number, db)
        try db.execute("DELETE FROM communityVideo WHERE number = ?1", .integer(number))
    }

    // MARK: Questions

    /// A title that can be published.
    ///
    /// - Throws: `Refusal` with `notFound`, or `conflict` if it was hidden.
    static func publishable(_ id: String, _ db: any SQLConnection) throws -> TitleRows.Reference {
        guard let title = try TitleRows.title(id: id, db) else {
            throw Refusal(.notFound, "there is no such title", field: "title")
        }
        guard try AudienceRows.hold(in: .titles, of: id, db) != .hidden else {
            throw Refusal(.conflict, "a moderator or reports have hidden the title", field: "title")
        }
        return title
    }

    /// The title that a video plays.
    ///
    /// - Throws: `Refusal` with `notFound`.
    static func title(of video: Video, _ db: any SQLConnection) throws -> TitleRows.Reference {
        guard let title = try TitleRows.title(id: video.title, db) else {
            throw Refusal(.notFound, "there is no such video")
        }
        return title
    }

    /// The number of a competition that a video may be in.
    ///
    /// - Parameter before: the competition that the video is in; it may stay there whatever the state.
    /// - Throws: `Refusal` with `notFound`, `invalidField`, or `conflict` if the competition is closed.
    static func competition(
        of contents: VideoContents, before: OpaqueID? = nil, at now: WallClockTime, _ db: any SQLConnection
    ) throws -> Int64? {
        guard let id = contents.competition else { return nil }
        guard let found = try CompetitionRows.competition(id, db) else {
            throw Refusal(.notFound, "there is no such competition", field: "competition")
        }
        if id != before { try found.requireEntry(at: now) }
        let days = found.schedule.days.count
        if let day = contents.day, !(1...days).contains(day) {
            throw Refusal(
                .invalidField, "the competition has days 1 to \(days)", field: "day", range: 1...max(1, days))
        }
        return found.number
    }

    /// Number of videos that a member has published in a time until now. Those that a clock that was wrong has dated
    /// later do not count.
    static func count(
        of owner: UserID, in window: Duration, until now: WallClockTime, _ db: any SQLConnection
    ) throws -> Int64 {
        try db.firstValue(
            "SELECT COUNT(*) FROM communityVideo WHERE ownerID = ?1 AND publishedAt > ?2 AND publishedAt <= ?3",
            .text(owner.text), .time(now - window), .time(now)) ?? 0
    }

    /// The IDs of videos whose titles were deleted.
    static func withoutTitle(limit: Int, _ db: any SQLConnection) throws -> [Int64] {
        try db.rows(
            """
            SELECT number FROM communityVideo
            WHERE NOT \(TitleRows.exists(number: "communityVideo.titleNumber")) ORDER BY number LIMIT ?1
            """, [SQLValue(limit)]
        ) { row in try row.value(0) }
    }
}
