package import Accounts
import Catalogue
import Database
package import MediaCore

extension Community {
    /// Limit of the videos that a member publishes in a day.
    package static let maximumVideoCountPerDay: Int64 = 100
    static let day = Duration.seconds(86_400)

    /// Publishes a title.
    ///
    /// - Parameters:
    ///   - contents: what its owner says of it.
    ///   - title: the ID of the title. Whether the caller may publish it is for the caller of this to ask.
    ///   - caller: the owner; the server's own token publishes for the station.
    /// - Throws: `Refusal` with `notFound`, `emptyField`, `invalidField`, `tooManyAttempts`, or `conflict` if the
    ///   title is published already.
    package func publish(_ contents: VideoContents, title: String, by caller: Caller) async throws -> Video {
        let (contents, id, owner, now) = (try contents.checked(), OpaqueID(), caller.principal.member?.id, now)
        if owner != nil { try Self.refuse(settings.heldWords, in: contents) }
        return try await database.write { db in
            try self.insert(contents, id: id, title: title, owner: owner, at: now, db)
        }
    }

    /// Publishes a title. Nothing is written if it throws.
    func insert(
        _ contents: VideoContents, id: OpaqueID, title: String, owner: UserID?, at now: WallClockTime,
        _ db: any SQLConnection
    ) throws -> Video {
        let title = try VideoRows.publishable(title, db)
        if let owner, try VideoRows.count(of: owner, in: Self.day, until: now, db) >= Self.maximumVideoCountPerDay {
            throw Refusal(
                .tooManyAttempts, "a member can publish at most \(Self.maximumVideoCountPerDay) videos a day",
                retryAfter: .seconds(3_600))
        }
        let competition = try VideoRows.competition(of: contents, at: now, db)
        let isNew = try VideoRows.insert(
            contents, id: id, title: title, owner: owner, competition: competition, at: now, db)
        guard isNew else { throw Self.publishedAlready }
        let video = try VideoRows.required(id, reader: owner, db)
        if video.isListed { try tell(.published(id, by: owner), at: now, db) }
        try UploadRows.note(video: video.number, ofTitle: title.number, db)
        return video
    }

    /// Nobody approves videos, so that words of the operator's list are refused, and not held as in comments.
    ///
    /// - Throws: `Refusal` with `invalidField`.
    static func refuse(_ words: HeldWords, in contents: VideoContents) throws(Refusal) {
        try words.refuse(contents.name, "name")
        try words.refuse(contents.text, "text")
        try words.refuse(contents.tags.joined(separator: " "), "tags")
    }

    private static var publishedAlready: Refusal {
        Refusal(.conflict, "the title is already published", field: "title")
    }

    /// A video as somebody may see it.
    ///
    /// - Parameters:
    ///   - id: the ID of the video.
    ///   - caller: the reader. Whether they may watch the title of a video in lists is for the caller of this to ask.
    ///   - maySeeHidden: whether they may see what was hidden, as moderators may.
    /// - Throws: `Refusal` with `notFound`, for a hidden one of somebody else, too.
    package func video(_ id: OpaqueID, for caller: Caller, maySeeHidden: Bool) async throws -> Video {
        let reader = caller.principal.member?.id
        return try await database.read { db in
            let video = try VideoRows.required(id, reader: reader, db)
            try Self.require(video, isSeenBy: reader, maySeeHidden: maySeeHidden)
            return video
        }
    }

    /// - Throws: `Refusal` with `notFound`.
    static func require(_ video: Video, isSeenBy reader: UserID?, maySeeHidden: Bool) throws(Refusal) {
        guard video.state == .shown || maySeeHidden || reader != nil && video.owner == reader else {
            throw Refusal(.notFound, "there is no such video")
        }
    }

    /// Changes what the owner says of a video, or the title that it plays; likes and comments stay.
    ///
    /// - Parameters:
    ///   - id: the ID of the video.
    ///   - title: the ID of another title; `nil` for the one that it has. Whether the caller may publish it is for the
    ///     caller of this to ask.
    ///   - revisions: the revisions of which the change is meant for one; `nil` for any.
    ///   - caller: its owner, or somebody who may manage all.
    ///   - mayManage: whether the caller may manage all videos.
    ///   - body: makes the change.
    /// - Throws: `Refusal`, and any error of `body`.
    package func change(
        _ id: OpaqueID, title: String? = nil, from revisions: Set<Int64>?, by caller: Caller, mayManage: Bool,
        _ body: @escaping @Sendable (inout VideoContents) throws -> Void
    ) async throws -> Video {
        let (reader, now, words) = (caller.principal.member?.id, now, settings.heldWords)
        return try await database.write { db in
            let video = try VideoRows.required(id, reader: reader, locks: true, db)
            try Self.require(video, isOwnedBy: reader, mayManage: mayManage)
            guard revisions?.contains(video.revision) ?? true else {
                throw Refusal(.changedMeanwhile, "the video was changed meanwhile; read it again")
            }
            var contents = VideoContents(video)
            try body(&contents)
            contents = try contents.checked()
            if !mayManage { try Self.refuse(words, in: contents) }
            let isSame = title == nil || title == video.title
            let reference = try isSame ? VideoRows.title(of: video, db) : VideoRows.publishable(title ?? "", db)
            if !isSame,
                try db.exists("SELECT 1 FROM communityVideo WHERE titleNumber = ?1", .integer(reference.number))
            {
                throw Self.publishedAlready
            }
            let competition = try VideoRows.competition(
                of: contents, before: video.competition, at: now, db)
            let releases = try !isSame && !Self.removeUpload(of: video, db)
            try VideoRows.update(
                video, contents, title: reference, isUpload: try UploadRows.id(ofTitle: reference.id, db) != nil,
                releases: releases, competition: competition, at: now, db)
            try UploadRows.note(video: video.number, ofTitle: reference.number, db)
            let changed = try VideoRows.required(id, reader: reader, db)
            if changed.isListed, !video.isListed { try self.tell(.published(id, by: video.owner), at: now, db) }
            return changed
        }
    }

    /// Ends the publication of a video, with its likes and comments. Its title stays in the library.
    ///
    /// - Throws: `Refusal` with `notFound` or `forbidden`.
    package func withdraw(_ id: OpaqueID, by caller: Caller, mayManage: Bool) async throws {
        let (reader, now) = (caller.principal.member?.id, now)
        try await database.write { db in
            let video = try VideoRows.required(id, reader: reader, locks: true, db)
            try Self.require(video, isOwnedBy: reader, mayManage: mayManage)
            try self.remove(video, at: now, db)
        }
    }

    /// Removes a video with everything about it, and what others were told of it.
    ///
    /// - Parameters:
    ///   - video: the video.
    ///   - releases: whether the audience of the title holds again, if it is the station's.
    ///   - now: the time of the removal.
    ///   - db: the transaction of the caller.
    /// - Returns: whether a member has sent the title, which is then to be deleted.
    @discardableResult
    func remove(
        _ video: Video, releases: Bool = true, at now: WallClockTime, _ db: any SQLConnection
    ) throws -> Bool {
        try tell(.removed(video.id, upload: try UploadRows.id(ofTitle: video.title, db)), at: now, db)
        try ReportRows.forget(commentsOf: video.number, db)
        try ReportRows.forget(.video, video.id.text, db)
        let isUpload = try Self.removeUpload(of: video, db)
        try VideoRows.delete(video, releases: releases && !isUpload, db)
        return isUpload
    }

    /// Has the title of a video deleted if a member has sent it, and keeps it from everybody until then.
    ///
    /// - Returns: `false` if it is a title of the station.
    private static func removeUpload(of video: Video, _ db: any SQLConnection) throws -> Bool {
        guard try UploadRows.remove(title: video.title, db) else { return false }
        try AudienceRows.hold(.hidden, in: .titles, of: video.title, db)
        return true
    }

    /// Requires that the caller may change a video. A caller who may not, and may not see it either, gets `notFound`.
    private static func require(
        _ video: Video, isOwnedBy reader: UserID?, mayManage: Bool
    ) throws(Refusal) {
        try require(video, isSeenBy: reader, maySeeHidden: mayManage)
        guard mayManage || reader != nil && video.owner == reader else {
            throw Refusal(.forbidden, "this video belongs to another member")
        }
    }

    /// A page of videos.
    ///
    /// - Parameters:
    ///   - query: which videos, in which order.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    /// - Throws: `Refusal` with `invalidCursor`, or `conflict` for those of a competition that cannot be
    ///   entered yet.
    package func videos(
        _ query: VideoQuery, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<Video> {
        let size = ListPage<Video>.size(limit)
        let start = try cursor.map { try VideoCursor(parsing: $0, order: query.order) }
        let text = query.words ?? ""
        let words = VideoText.query(String(text.prefix(Self.maximumQueryLength)))
        // A query of punctuation only does not match anything.
        guard text.isEmpty || words != nil else { return ListPage([], size: size) { _ in "" } }
        let (dialect, now) = (database.dialect, now)
        let videos = try await database.read { db in
            if case .competition(let id, _) = query.scope, !query.entersClosed {
                try CompetitionRows.competition(id, db)?.requireEntry(at: now)
            }
            let isFeedSparse =
                if case .feed(let reader) = query.scope {
                    try MemberCountRows.videos(followedBy: reader, db) <= VideoList.maximumSortedCount
                } else { false }
            func page(_ search: VideoList.Search) throws -> [Video] {
                let list = VideoList(
                    query, words: words, after: start, limit: size + 1, isFeedSparse: isFeedSparse, search: search,
                    dialect)
                return try VideoRows.page(list, db)
            }
            guard let words, try !VideoList.areRare(words, db) else { return try page(.few) }
            let beginning = try page(.beginning)
            return beginning.count > size ? beginning : try page(.many)
        }
        return ListPage(videos, size: size) { VideoCursor.text($0, query.order) }
    }

    /// In characters; the rest of a search text is ignored.
    static let maximumQueryLength = 200

    // MARK: Likes

    /// Notes that a member likes a video, or does not any more. Doing it again changes nothing.
    ///
    /// - Returns: the video with the counters after it.
    /// - Throws: `Refusal` with `notFound` or `loginNeeded`.
    package func setLike(
        _ isLiked: Bool, of id: OpaqueID, by caller: Caller, maySeeHidden: Bool = false
    ) async throws -> Video {
        let (member, now) = (try Self.member(caller).id, now)
        return try await database.write { db in
            let video = try VideoRows.required(id, reader: member, locks: true, db)
            try Self.require(video, isSeenBy: member, maySeeHidden: maySeeHidden)
            if isLiked { try BarrierRows.requireNotBlocked(member, by: video.owner, db) }
            try LikeRows.set(isLiked, video, by: member, at: now, db)
            if isLiked, !video.isLiked { try self.tell(.liked(id, by: member), at: now, db) }
            return try VideoRows.required(id, reader: member, db)
        }
    }

    /// A page of those who like a video, the last ones first.
    ///
    /// - Throws: `Refusal` with `notFound` or `invalidCursor`.
    package func likers(
        of id: OpaqueID, for caller: Caller, maySeeHidden: Bool, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<ListedMember> {
        let (reader, size) = (caller.principal.member?.id, ListPage<ListedMember>.size(limit))
        let start = try ListCursor.start(cursor)
        return try await database.read { db in
            let video = try VideoRows.required(id, reader: reader, db)
            try Self.require(video, isSeenBy: reader, maySeeHidden: maySeeHidden)
            let rows = try LikeRows.likers(of: video.number, reader: reader, before: start, limit: size + 1, db)
            return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
        }
    }
}
