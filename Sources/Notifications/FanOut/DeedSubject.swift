import Accounts
import Database
import MediaCore

/// The video and the comment that a deed is about, as they are now. Runs inside the transaction of its caller.
struct DeedSubject: Sendable {
    var owner: UserID?
    /// The ID of the title that plays.
    var title: String
    /// Whether lists show the video, once its title plays.
    var isListed: Bool
    /// Whether the title plays.
    var isReady: Bool
    /// The number of its competition, and its ID.
    var competition: Int64?
    var competitionID: String?

    /// - Returns: `nil` if there is no such video.
    static func video(_ id: OpaqueID, _ db: any SQLConnection) throws -> DeedSubject? {
        try db.first(
            """
            SELECT v.ownerID, title.id, v.visibility, v.state, title.state, competition.number, competition.id
            FROM communityVideo AS v JOIN title ON title.number = v.titleNumber
            LEFT JOIN competition ON competition.number = v.competition WHERE v.id = ?1
            """, [.text(id.text)]
        ) { row in
            let (visibility, state): (String, String) = (try row.value(2), try row.value(3))
            return DeedSubject(
                owner: try row.optional(0), title: try row.value(1),
                isListed: visibility == "public" && state == "shown",
                isReady: try row.value(4) as String == "ready", competition: try row.optional(5),
                competitionID: try row.optional(6))
        }
    }

    static func isLiked(_ video: OpaqueID, by user: UserID, _ db: any SQLConnection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM videoLike JOIN communityVideo AS v ON v.number = videoLike.video
            WHERE v.id = ?1 AND userID = ?2
            """, .text(video.text), .text(user.text))
    }

    /// The author of the comment that a comment answers, and the ID of that comment.
    ///
    /// - Returns: `nil` if the comment is not shown; no author if it answers none.
    static func answered(
        by comment: OpaqueID, _ db: any SQLConnection
    ) throws -> (author: UserID?, id: String?)? {
        try db.first(
            """
            SELECT parent.authorID, parent.id FROM videoComment AS k
            LEFT JOIN videoComment AS parent ON parent.number = k.parent WHERE k.id = ?1 AND k.state = 'shown'
            """, [.text(comment.text)]
        ) { row in (author: try row.optional(0), id: try row.optional(1)) }
    }
}
