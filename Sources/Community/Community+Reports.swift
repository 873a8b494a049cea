package import Accounts
import Catalogue
package import Database
package import MediaCore

extension Community {
    /// Limit of the reports of a member in ``reportWindow``.
    package static let maximumReportCount: Int64 = 20
    package static let reportWindow = Duration.seconds(3_600)

    /// Reports something. With the report that reaches the threshold it is hidden until a moderator has decided, and
    /// nothing of it is lost.
    ///
    /// - Parameters:
    ///   - kind: what is reported.
    ///   - id: the ID of the video, comment or account.
    ///   - reason: from the list.
    ///   - text: what the member says about it; may be empty.
    ///   - caller: the member.
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `invalidField`, `tooManyAttempts`, or `conflict` for one's
    ///   own items and for a second report.
    package func report(
        _ kind: ReportedKind, _ id: OpaqueID, _ reason: ReportReason, text: String, by caller: Caller
    ) async throws {
        let (reporter, now, threshold) = (try Self.member(caller).id, now, settings.reportThreshold)
        let isWeighed = settings.weighsReports
        let text = try MemberText.lines(text, "text", maximumLength: ItemReport.maximumTextLength)
        try await database.write { db in
            let item = try self.reportable(kind, id, seenBy: reporter, db)
            guard item.owner != reporter else {
                throw Refusal(.conflict, "this is your own \(kind.rawValue); you can delete it")
            }
            guard
                try ReportRows.count(by: reporter, in: Self.reportWindow, until: now, db) < Self.maximumReportCount
            else {
                throw Refusal(
                    .tooManyAttempts, "you have made \(Self.maximumReportCount) reports in an hour; try again later",
                    retryAfter: .seconds(Int64(Self.reportWindow.seconds)))
            }
            let weight = try isWeighed ? ReportRows.weight(of: reporter, db) : ReportWeight.usual
            let total = try ReportRows.insert(
                kind, id.text, owner: item.owner, by: reporter, reason, text, weight: weight, at: now, db)
            guard let total else {
                throw Refusal(.conflict, "you have already reported this \(kind.rawValue)")
            }
            try self.tell(.reported(kind, id, video: item.video, owner: item.owner), at: now, db)
            guard total >= Int64(threshold) * ReportWeight.usual, !item.isHidden else { return }
            try self.setHidden(true, kind, id, db)
            try ReportRows.noteCrossing(kind, id.text, db)
        }
    }

    /// Takes one's own report back, while nobody has decided about it.
    ///
    /// - Throws: `Refusal` with `loginNeeded`, or `notFound` without an open report.
    package func withdrawReport(_ kind: ReportedKind, _ id: OpaqueID, by caller: Caller) async throws {
        let reporter = try Self.member(caller).id
        try await database.write { db in
            try self.lock(kind, id, db)
            guard try ReportRows.withdraw(kind, id.text, by: reporter, db) else {
                throw Refusal(.notFound, "there is no open report of yours about this \(kind.rawValue)")
            }
        }
    }

    /// Says something against the decision to hide one's own video or comment, once.
    ///
    /// - Throws: `Refusal` with `notFound`, `forbidden`, `loginNeeded`, `emptyField`, `invalidField`, or
    ///   `conflict` without a decision to hide it, and for a second time.
    package func appeal(_ kind: ReportedKind, _ id: OpaqueID, _ text: String, by caller: Caller) async throws {
        let (member, now) = (try Self.member(caller).id, now)
        let text = try MemberText.lines(text, "text", maximumLength: ModeratedItem.maximumNoteLength)
        guard !text.isEmpty else {
            throw Refusal(.emptyField, "the field `text` must not be empty", field: "text")
        }
        try await database.write { db in
            let item = try self.reportable(kind, id, seenBy: member, db)
            guard item.owner == member else {
                throw Refusal(.forbidden, "this \(kind.rawValue) belongs to another member")
            }
            guard try ReportRows.appeal(kind, id.text, text, at: now, db) else {
                throw Refusal(.conflict, "there is no decision that you can still appeal")
            }
        }
    }

    /// The state of the reports about an item; `nil` if it was never reported. For its owner and moderators; the
    /// caller of this method checks that.
    package func moderation(of kind: ReportedKind, _ id: OpaqueID) async throws -> ModeratedItem? {
        try await database.read { db in try ReportRows.item(kind, id.text, db) }
    }

    // MARK: For moderators; whether the caller is one is for the caller of these to ask

    /// A page of items that wait for a decision, oldest reports first.
    ///
    /// - Throws: `Refusal` with `invalidCursor`.
    package func moderationQueue(
        after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<ModeratedItem> {
        let size = ListPage<ModeratedItem>.size(limit)
        let start = try cursor.map { try QueueCursor(parsing: $0) }
        let rows = try await database.read { db in
            try ReportRows.queue(after: start.map { ($0.time, $0.subject) }, limit: size + 1, db)
                .map { try self.filled($0, db) }
        }
        return ListPage(rows, size: size) { QueueCursor(time: $0.reportedAt, subject: $0.subject.text).text }
    }

    /// The reports of items of the queue by their IDs, the last ones first.
    package func reports(of items: [ModeratedItem]) async throws -> [OpaqueID: [ItemReport]] {
        try await database.read { db in try ReportRows.reports(of: items.map(\.subject), db) }
    }

    /// A reported item, with its reports.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func moderatedItem(
        _ kind: ReportedKind, _ id: OpaqueID
    ) async throws -> (item: ModeratedItem, reports: [ItemReport]) {
        try await database.read { db in
            (try self.filled(try Self.item(kind, id, db), db), try ReportRows.reports(of: [id], db)[id] ?? [])
        }
    }

    /// Lets a moderator deal with an item alone for ``ModeratedItem/claimTime``.
    ///
    /// - Throws: `Refusal` with `notFound`, or `conflict` if somebody else does.
    package func claim(_ kind: ReportedKind, _ id: OpaqueID, by caller: Caller) async throws -> ModeratedItem {
        let (name, now) = (Self.moderatorName(caller), now)
        return try await database.write { db in
            let item = try Self.item(kind, id, db)
            guard
                try ReportRows.claim(
                    kind, id.text, by: name, at: now, until: now + ModeratedItem.claimTime, db)
            else {
                throw Refusal(
                    .conflict, "\(item.claimedBy ?? "another moderator") is dealing with it at the moment")
            }
            return try self.filled(try Self.item(kind, id, db), db)
        }
    }

    /// Forgets everything about an item of another domain that goes. Runs inside the transaction of its caller.
    package static func forgetReports(of kind: ReportedKind, _ id: OpaqueID, _ db: any SQLConnection) throws {
        try ReportRows.forget(kind, id.text, db)
    }

    /// An item with what its domain tells of it.
    private func filled(_ item: ModeratedItem, _ db: any SQLConnection) throws -> ModeratedItem {
        guard let found = try items(item.kind)?.find(item.subject, nil, false, db) else { return item }
        var item = item
        (item.text, item.isHidden) = (found.text, found.isHidden)
        return item
    }

    /// Decides about an item: its open reports are settled. A decision is written to the audit log.
    ///
    /// - Parameters:
    ///   - decision: what happens.
    ///   - note: what the owner is told about it; may be empty.
    ///   - kind: what it is about.
    ///   - id: the ID of the video or comment.
    ///   - caller: the moderator.
    ///   - mayManage: whether the moderator may delete titles of the station.
    /// - Returns: the ID of the title of a video that was deleted for good, which stays hidden until somebody deletes
    ///   it with its files; `nil` otherwise, also if the title is the station's and the moderator may not delete it.
    ///   Such a title is no longer a video of the community, and is watched as before.
    /// - Throws: `Refusal` with `notFound`, `invalidField`, or `conflict` if another moderator deals with it.
    package func decide(
        _ decision: ModerationDecision, note: String, _ kind: ReportedKind, _ id: OpaqueID, by caller: Caller,
        mayManage: Bool
    ) async throws -> String? {
        let (name, now) = (Self.moderatorName(caller), now)
        let note = try MemberText.lines(note, "note", maximumLength: ModeratedItem.maximumNoteLength)
        return try await database.write { db in
            try self.lock(kind, id, db)
            let item = try self.filled(try Self.item(kind, id, db), db)
            var title: String?
            guard try ReportRows.claim(kind, id.text, by: name, at: now, until: now, db) else {
                throw Refusal(
                    .conflict, "\(item.claimedBy ?? "another moderator") is dealing with it at the moment")
            }
            try ReportRows.noteReporters(kind, id.text, isConfirmed: decision != .restored, db)
            if let owner = item.owner {
                try self.tell(.decided(decision, kind, id, owner: owner), at: now, db)
            }
            switch decision {
            case .restored:
                try self.setHidden(false, kind, id, db)
                try self.tellIfShownAgain(kind, id, at: now, db)
            case .hidden: try self.setHidden(true, kind, id, db)
            case .deleted: title = try self.delete(kind, id, mayManage: mayManage, at: now, db)
            }
            try RecordRows.add(
                ModerationRecord.Event(decision), about: item, note, by: name, at: now, db)
            if decision != .deleted { try ReportRows.settle(kind, id.text, decision, note: note, at: now, db) }
            try Accounts.note(
                .itemModerated, by: caller, about: nil, before: "\(kind.rawValue) \(id): \(item.reports) reports",
                after: "\(kind.rawValue) \(id): \(decision.rawValue)", at: now, db)
            return title
        }
    }

    /// A video that was hidden before anybody was told of it is told of now.
    private func tellIfShownAgain(
        _ kind: ReportedKind, _ id: OpaqueID, at now: WallClockTime, _ db: any SQLConnection
    ) throws {
        guard kind == .video, let video = try VideoRows.video(id, reader: nil, db), video.isListed else { return }
        try tell(.published(id, by: video.owner), at: now, db)
    }

    static func moderatorName(_ caller: Caller) -> String {
        caller.principal.member?.username ?? "the server's own token"
    }

    /// - Throws: `Refusal` with `notFound`.
    static func item(
        _ kind: ReportedKind, _ id: OpaqueID, _ db: any SQLConnection
    ) throws -> ModeratedItem {
        guard let item = try ReportRows.item(kind, id.text, db) else {
            throw Refusal(.notFound, "there is no reported \(kind.rawValue) with this ID")
        }
        return item
    }

    private func lock(_ kind: ReportedKind, _ id: OpaqueID, _ db: any SQLConnection) throws {
        switch kind {
        case .video: _ = try VideoRows.video(id, reader: nil, locks: true, db)
        case .comment:
            guard let comment = try CommentRows.comment(id, db) else { return }
            _ = try VideoRows.video(comment.video, reader: nil, locks: true, db)
        case .profile: _ = try ProfileRows.lock(UserID(id), db)
        case .topicComment: _ = try items(kind)?.find(id, nil, true, db)
        }
    }

    /// The owner of something that a member can see, and whether it is hidden. Its video is locked.
    ///
    /// - Throws: `Refusal` with `notFound`.
    private func reportable(
        _ kind: ReportedKind, _ id: OpaqueID, seenBy reader: UserID, _ db: any SQLConnection
    ) throws -> (owner: UserID?, video: OpaqueID?, isHidden: Bool) {
        try lock(kind, id, db)
        switch kind {
        case .video:
            let video = try VideoRows.required(id, reader: reader, db)
            try Self.require(video, isSeenBy: reader, maySeeHidden: false)
            return (video.owner, video.id, video.state == .hidden)
        case .comment:
            let comment = try CommentRows.required(id, db)
            try Self.require(
                try VideoRows.required(comment.video, reader: reader, db), isSeenBy: reader, maySeeHidden: false)
            guard comment.state == .shown || comment.author == reader else {
                throw Refusal(.notFound, "there is no such comment")
            }
            return (comment.author, comment.video, comment.state == .hidden)
        case .profile:
            let user = UserID(id)
            guard let state = try ProfileRows.lock(user, db), state == .shown || user == reader else {
                throw Refusal(.notFound, "there is no such member")
            }
            return (user, nil, state == .hidden)
        case .topicComment:
            guard let item = try items(kind)?.find(id, reader, true, db) else {
                throw Refusal(.notFound, "there is no such comment")
            }
            return (item.owner, nil, item.isHidden)
        }
    }

    private func setHidden(
        _ isHidden: Bool, _ kind: ReportedKind, _ id: OpaqueID, _ db: any SQLConnection
    ) throws {
        switch kind {
        case .video:
            let video = try VideoRows.required(id, reader: nil, db)
            let isUpload = try UploadRows.id(ofTitle: video.title, db) != nil
            try VideoRows.setState(isHidden ? .hidden : .shown, of: video, isUpload: isUpload, db)
        case .comment:
            let comment = try CommentRows.required(id, db)
            guard comment.state != .deleted else { return }
            try CommentRows.setState(isHidden ? .hidden : .shown, of: id, db)
        case .profile:
            try ProfileRows.setState(isHidden ? .hidden : .shown, of: UserID(id), db)
        case .topicComment: try items(kind)?.setHidden(isHidden, id, now, db)
        }
    }

    /// - Returns: the ID of the title of a video, if its file goes, too.
    private func delete(
        _ kind: ReportedKind, _ id: OpaqueID, mayManage: Bool, at now: WallClockTime, _ db: any SQLConnection
    ) throws -> String? {
        switch kind {
        case .video:
            try self.setHidden(true, kind, id, db)
            let video = try VideoRows.required(id, reader: nil, db)
            let isUpload = try remove(video, at: now, db)
            guard !isUpload, !mayManage else {
                try AudienceRows.hold(.hidden, in: .titles, of: video.title, db)
                return video.title
            }
            // The film is the station's: who may watch it is not for moderators to decide.
            try AudienceRows.hold(video.visibility == .unlisted ? .unlisted : nil, in: .titles, of: video.title, db)
            return nil
        case .comment:
            try CommentRows.delete(try CommentRows.required(id, db), db)
            return nil
        case .profile:
            throw Refusal(.conflict, "a profile cannot be deleted; hide it, or suspend the account")
        case .topicComment:
            try items(kind)?.delete(id, now, db)
            try ReportRows.forget(kind, id.text, db)
            return nil
        }
    }
}
