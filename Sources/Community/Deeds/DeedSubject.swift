package import Accounts
import Catalogue
package import Database

/// The video and the comment that a deed is about, as they are now. Runs inside the transaction of its caller.
package struct DeedSubject: Sendable {
    package var owner: UserID?
    /// The ID of the title that plays.
    package var title: String
    /// Whether lists show the video, once its title plays.
    package var isListed: Bool
    /// Whether the title plays.
    package var isReady: Bool
    /// The number of its competition, and its ID.
    package var competition: Int64?
    package var competitionID: String?

    /// - Returns: `nil` if there is no such video.
    package static func video(_ id: OpaqueID, _ db: any SQLConnection) throws -> DeedSubject? {
        let title = VideoRows.title
        return try db.first(
            """
            SELECT v.ownerID, \(title.id) AS titleID, v.visibility, v.state,
                CASE WHEN \(title.isReady) THEN 1 ELSE 0 END AS isReady, v.competition, competition.id AS competitionID
            FROM communityVideo AS v \(title.join("v.titleNumber"))
            LEFT JOIN competition ON competition.number = v.competition WHERE v.id = ?1
            """, [.text(id.text)]
        ) { row in
            let (visibility, state): (String, String) = (try row.value("visibility"), try row.value("state"))
            return DeedSubject(
                owner: try row.optional("ownerID"), title: try row.value("titleID"),
                isListed: visibility == "public" && state == "shown",
                isReady: try row.flag("isReady"), competition: try row.optional("competition"),
                competitionID: try row.optional("competitionID"))
        }
    }

    /// The condition that there is a video with the ID of a column.
    package static func exists(video column: String) -> String {
        "EXISTS (SELECT 1 FROM communityVideo AS existing WHERE existing.id = \(column))"
    }

    package static func isLiked(_ video: OpaqueID, by user: UserID, _ db: any SQLConnection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM videoLike JOIN communityVideo AS v ON v.number = videoLike.video
            WHERE v.id = ?1 AND userID = ?2
            """, .text(video.text), .text(user.text))
    }

    /// The author of the comment that a comment answers, and the ID of that comment.
    ///
    /// - Returns: `nil` if the comment is not shown; no author if it answers none.
    package static func answered(
        by comment: OpaqueID, _ db: any SQLConnection
    ) throws -> (author: UserID?, id: String?)? {
        try db.first(
            """
            SELECT parent.authorID, parent.id FROM videoComment AS k
            LEFT JOIN videoComment AS parent ON parent.number = k.parent WHERE k.id = ?1 AND k.state = 'shown'
            """, [.text(comment.text)]
        ) { row in (author: try row.optional("authorID"), id: try row.optional("id")) }
    }
}
