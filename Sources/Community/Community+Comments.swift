package import Accounts
import Database
package import MediaCore

extension Community {
    /// Limit of the comments that a member writes in ``commentWindow``.
    package static let maximumCommentCount: Int64 = 30
    package static let commentWindow = Duration.seconds(600)
    /// The age from which on an account's links are shown without approval.
    package static let timeUntilTrusted = Duration.seconds(7 * 86_400)
    /// Limit of the answers that come with a page of comments.
    package static let maximumReplyCount = 200

    /// Comments on a video, or answers a comment.
    ///
    /// - Parameters:
    ///   - text: 1 to 10,000 characters.
    ///   - parent: the comment that it answers; `nil` for one about the video.
    ///   - id: the ID of the video. Whether the caller may comment on it is for the caller of this to ask.
    ///   - caller: the author.
    ///   - isModerator: whether the caller may moderate, so that nobody has to approve what they write.
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `emptyField`, `invalidField`, `tooManyAttempts`, or
    ///   `conflict` where comments are closed.
    package func comment(
        _ text: String, parent: OpaqueID? = nil, on id: OpaqueID, by caller: Caller, isModerator: Bool
    ) async throws -> VideoComment {
        let (author, now, new) = (try Self.member(caller).id, now, OpaqueID())
        let text = try Self.checked(text)
        let isHeld = settings.heldWords.areIn(text)
        return try await database.write { db in
            let video = try VideoRows.required(id, reader: author, locks: true, db)
            try Self.require(video, isSeenBy: author, maySeeHidden: isModerator)
            guard video.commentPolicy != .closed else {
                throw Refusal(.conflict, "comments on this video are closed")
            }
            guard
                try CommentRows.count(of: author, in: Self.commentWindow, until: now, db) < Self.maximumCommentCount
            else {
                throw Refusal(
                    .tooManyAttempts,
                    "you have written \(Self.maximumCommentCount) comments in 10 minutes; try again later",
                    retryAfter: .seconds(Int64(Self.commentWindow.seconds)))
            }
            try BarrierRows.requireNotBlocked(author, by: video.owner, db)
            let state = try Self.state(of: text, isHeld, by: author, on: video, isModerator, at: now, db)
            let parent = try parent.map { try CommentRows.answered($0, of: video, db) }
            try BarrierRows.requireNotBlocked(author, by: parent?.author, db)
            try CommentRows.insert(
                text, id: new, video: video.number, parent: parent?.number, author: author, state, at: now, db)
            let comment = try CommentRows.required(new, db)
            try ActivityRows.add(
                .comment, to: video.owner, by: author, video: video.number, comment: comment.number, at: now, db)
            if let answered = parent?.author, answered != video.owner {
                try ActivityRows.add(
                    .reply, to: answered, by: author, video: video.number, comment: comment.number, at: now, db)
            }
            if state == .shown { try self.tell(.commented(new, on: id, by: author), at: now, db) }
            return comment
        }
    }

    private static func checked(_ text: String) throws(Refusal) -> String {
        let text = try MemberText.lines(text, "text", maximumLength: VideoComment.lengths.upperBound)
        guard !text.isEmpty else {
            throw Refusal(.emptyField, "the field `text` must not be empty", field: "text")
        }
        return text
    }

    /// - Parameter isHeld: whether the text has a word that the operator does not want.
    private static func state(
        of text: String, _ isHeld: Bool, by author: UserID, on video: Video, _ isModerator: Bool, at now: WallClockTime,
        _ db: any SQLConnection
    ) throws -> CommentState {
        if isModerator || video.owner == author { return .shown }
        if isHeld || video.commentPolicy == .approval { return .held }
        guard CommentLinks.areIn(text) else { return .shown }
        return try AccountReferences.isOld(author, before: now - timeUntilTrusted, db) ? .shown : .held
    }

    /// Changes the text of one's own comment. It is shown as changed, and held again if it would be held now.
    ///
    /// - Throws: `Refusal` with `notFound`, `forbidden`, `emptyField` or `invalidField`.
    package func edit(_ id: OpaqueID, _ text: String, by caller: Caller, isModerator: Bool) async throws -> VideoComment
    {
        let (author, now, text) = (try Self.member(caller).id, now, try Self.checked(text))
        let isHeld = settings.heldWords.areIn(text)
        return try await database.write { db in
            let (comment, video) = try Self.comment(id, seenBy: author, isModerator, db)
            guard comment.author == author else {
                throw Refusal(.forbidden, "this comment belongs to another member")
            }
            let state =
                comment.state == .shown
                ? try Self.state(of: text, isHeld, by: author, on: video, isModerator, at: now, db) : comment.state
            try CommentRows.setText(text, of: comment, state, at: now, db)
            return try CommentRows.required(id, db)
        }
    }

    /// Deletes a comment: one's own, or as a moderator or as the owner of the video any.
    ///
    /// - Throws: `Refusal` with `notFound` or `forbidden`.
    package func deleteComment(_ id: OpaqueID, by caller: Caller, isModerator: Bool) async throws {
        let reader = caller.principal.member?.id
        try await database.write { db in
            let (comment, video) = try Self.comment(id, seenBy: reader, isModerator, db)
            guard isModerator || reader != nil && (comment.author == reader || video.owner == reader) else {
                throw Refusal(.forbidden, "this comment belongs to another member")
            }
            try CommentRows.delete(comment, db)
        }
    }

    /// Shows a comment that was held.
    ///
    /// - Throws: `Refusal` with `notFound`, `forbidden`, or `conflict` if it does not wait.
    package func approveComment(_ id: OpaqueID, by caller: Caller, isModerator: Bool) async throws -> VideoComment {
        let (reader, now) = (caller.principal.member?.id, now)
        return try await database.write { db in
            let (comment, video) = try Self.comment(id, seenBy: reader, isModerator, db)
            guard isModerator || reader != nil && video.owner == reader else {
                throw Refusal(.forbidden, "only the owner of the video can approve its comments")
            }
            guard comment.state == .held else {
                throw Refusal(.conflict, "the comment is not waiting for approval")
            }
            try CommentRows.setState(.shown, of: id, db)
            try self.tell(.commented(id, on: video.id, by: comment.author), at: now, db)
            return try CommentRows.required(id, db)
        }
    }

    /// A comment with its video, which is locked first.
    ///
    /// - Throws: `Refusal` with `notFound`, also for what the reader may not see.
    private static func comment(
        _ id: OpaqueID, seenBy reader: UserID?, _ isModerator: Bool, _ db: any SQLConnection
    ) throws -> (VideoComment, Video) {
        let video = try VideoRows.required(
            try CommentRows.required(id, db).video, reader: reader, locks: true, db)
        try require(video, isSeenBy: reader, maySeeHidden: isModerator)
        let comment = try CommentRows.required(id, db)
        let isOwn = reader != nil && (comment.author == reader || video.owner == reader)
        guard comment.state == .shown || comment.state != .deleted && (isModerator || isOwn) else {
            throw Refusal(.notFound, "there is no such comment")
        }
        return (comment, video)
    }

    /// A page of the comments about a video, the last ones first, with their first answers.
    ///
    /// - Parameters:
    ///   - id: the ID of the video.
    ///   - caller: the reader. Their own comments are there although they wait or were hidden, and all of them for the
    ///     owner of the video.
    ///   - isModerator: whether the caller may moderate, and sees all.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of comments without answers, 20 if `nil`, 100 at most.
    /// - Returns: the page, and at most ``maximumReplyCount`` answers in the order in which they were written.
    /// - Throws: `Refusal` with `notFound` or `invalidCursor`.
    package func comments(
        on id: OpaqueID, for caller: Caller, isModerator: Bool, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> (page: ListPage<VideoComment>, replies: [VideoComment]) {
        let (reader, size) = (caller.principal.member?.id, ListPage<VideoComment>.size(limit))
        let start = try ListCursor.start(cursor)
        return try await database.read { db in
            let video = try VideoRows.required(id, reader: reader, db)
            try Self.require(video, isSeenBy: reader, maySeeHidden: isModerator)
            let showsAll = isModerator || reader != nil && video.owner == reader
            let rows = try CommentRows.comments(
                of: video.number, reader: reader, showsAll: showsAll, before: start, limit: size + 1, db)
            let page = ListPage(rows, size: size) { ListCursor(number: $0.number).text }
            let replies = try CommentRows.replies(
                to: page.items.map(\.number), reader: reader, showsAll: showsAll, limit: Self.maximumReplyCount, db)
            return (page, replies)
        }
    }

    /// The ID of the video that a comment is about.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func video(ofComment id: OpaqueID) async throws -> OpaqueID {
        try await database.read { db in try CommentRows.required(id, db).video }
    }

    /// A page of the answers to a comment, in the order in which they were written.
    ///
    /// - Throws: `Refusal` with `notFound` or `invalidCursor`.
    package func replies(
        to id: OpaqueID, for caller: Caller, isModerator: Bool, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<VideoComment> {
        let (reader, size) = (caller.principal.member?.id, ListPage<VideoComment>.size(limit))
        let start = try cursor.map { try ListCursor.number(parsing: $0) } ?? 0
        return try await database.read { db in
            let parent = try CommentRows.required(id, db)
            let video = try VideoRows.required(parent.video, reader: reader, db)
            try Self.require(video, isSeenBy: reader, maySeeHidden: isModerator)
            let rows = try CommentRows.replies(
                to: [parent.number], reader: reader,
                showsAll: isModerator || reader != nil && video.owner == reader, after: start, limit: size + 1, db)
            return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
        }
    }
}
