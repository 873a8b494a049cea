package import Accounts
import Catalogue
import Database
package import MediaCore

extension Community {
    /// Whether members may send files.
    package var takesUploads: Bool { settings.uploadQuota > 0 }

    /// Begins an upload: what the member says of it is kept, and the title will be kept from everybody.
    ///
    /// - Parameters:
    ///   - fileName: the name that the member's device has for the file.
    ///   - fileExtension: that of a kind of video, without the dot.
    ///   - byteCount: the size of the file.
    ///   - caller: the member. Whether they may send files is for the caller of this to ask.
    /// - Throws: `Refusal` with `loginNeeded`, `forbidden` if nobody may, or `tooMany`.
    package func beginUpload(
        fileName: String, fileExtension: String, byteCount: Int64, by caller: Caller
    ) async throws -> MemberUpload {
        let (owner, quota, now, id) = (try Self.member(caller).id, settings.uploadQuota, now, OpaqueID())
        guard takesUploads else { throw Refusal(.forbidden, "this server does not accept videos from members") }
        let name = UntrustedText.stripped(fileName, maximumCharacterCount: MemberUpload.maximumFileNameLength)
        let stem = name.withoutSurroundingBlanks.split(separator: ".").dropLast().joined(separator: ".")
        let contents = VideoContents(name: String(stem.prefix(VideoContents.maximumNameLength)))
        return try await database.write { db in
            try UploadRows.link(db)
            guard try UploadRows.unfinishedCount(of: owner, db) < MemberUpload.maximumUnfinishedCount else {
                throw Refusal(
                    .tooMany,
                    "\(MemberUpload.maximumUnfinishedCount) of your uploads are incomplete; resume or delete one"
                )
            }
            let usage = UploadUsage(byteCount: try UploadRows.byteCount(of: owner, db), quota: quota)
            guard byteCount > 0, byteCount <= usage.free else {
                throw Refusal(
                    .tooMany,
                    "the file has \(byteCount >> 20) MiB, and \(usage.free >> 20) of your \(quota >> 20) MiB are free; delete a video first"
                )
            }
            try UploadRows.insert(
                id, owner: owner, file: "video-\(id).\(fileExtension)", fileName: name, byteCount: byteCount,
                contents, at: now, db)
            return try UploadRows.required(id, of: owner, db)
        }
    }

    /// The caller's uploads whose files are not complete, if these are as many as a member may have; otherwise none.
    ///
    /// - Throws: `Refusal` with `loginNeeded`.
    package func uploadsInTheWay(of caller: Caller) async throws -> [MemberUpload] {
        let owner = try Self.member(caller).id
        try await linkUploads()
        let uploads = try await database.read { db in try UploadRows.unfinished(of: owner, db) }
        return uploads.count < MemberUpload.maximumUnfinishedCount ? [] : uploads
    }

    /// Notes which resumable upload receives the file.
    package func setReceiver(_ upload: String, of id: OpaqueID) async throws {
        try await database.write { db in try UploadRows.set(upload, of: id, db) }
    }

    /// An upload of the caller.
    ///
    /// - Throws: `Refusal` with `loginNeeded` or `notFound`.
    package func upload(_ id: OpaqueID, by caller: Caller) async throws -> MemberUpload {
        let owner = try Self.member(caller).id
        try await linkUploads()
        return try await database.read { db in try UploadRows.required(id, of: owner, db) }
    }

    /// Finds the titles that complete files have become. Most calls find none, and write nothing.
    private func linkUploads() async throws {
        guard try await database.read({ db in try UploadRows.canBeLinked(db) }) else { return }
        try await database.write { db in try UploadRows.link(db) }
    }

    /// A page of the caller's uploads, the last ones first, and the room that all take.
    ///
    /// - Throws: `Refusal` with `loginNeeded` or `invalidCursor`.
    package func uploads(
        by caller: Caller, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> (page: ListPage<MemberUpload>, usage: UploadUsage) {
        let (owner, size) = (try Self.member(caller).id, ListPage<MemberUpload>.size(limit))
        let (start, quota) = (try ListCursor.start(cursor), settings.uploadQuota)
        try await linkUploads()
        return try await database.read { db in
            let rows = try UploadRows.page(of: owner, before: start, limit: size + 1, db)
            return (
                ListPage(rows, size: size) { ListCursor(number: $0.number).text },
                UploadUsage(byteCount: try UploadRows.byteCount(of: owner, db), quota: quota)
            )
        }
    }

    /// Changes what the caller says of a video that is not published, and publishes it if that is wanted: at once if it
    /// plays, otherwise as soon as it does.
    ///
    /// - Parameters:
    ///   - id: the upload.
    ///   - revisions: the revisions of which the change is meant for one; `nil` for any.
    ///   - publishes: whether the video is to be published.
    ///   - caller: the owner.
    ///   - body: makes the change.
    /// - Throws: `Refusal` with `emptyField` or `invalidField` for what is missing to publish it,
    ///   `conflict` if it is published already or cannot be played, and any error of `body`.
    package func describe(
        _ id: OpaqueID, from revisions: Set<Int64>? = nil, publishes: Bool, by caller: Caller,
        _ body: @escaping @Sendable (inout VideoContents) throws -> Void
    ) async throws -> MemberUpload {
        let (owner, now, words) = (try Self.member(caller).id, now, settings.heldWords)
        let upload = try await database.write { db in
            try UploadRows.link(db)
            var upload = try UploadRows.required(id, of: owner, locks: true, db)
            guard revisions?.contains(upload.revision) ?? true else {
                throw Refusal(.changedMeanwhile, "the upload was changed meanwhile; read it again")
            }
            guard upload.video == nil else {
                throw Refusal(.conflict, "the upload is already published; change its video instead")
            }
            try body(&upload.contents)
            if publishes {
                guard upload.state != .failed else {
                    throw Refusal(.conflict, "the file cannot be played; delete it and upload another one")
                }
                _ = try VideoRows.competition(of: try upload.contents.checked(), at: now, db)
            }
            upload.contents = try upload.contents.limited()
            try Self.refuse(words, in: upload.contents)
            (upload.isWanted, upload.problem) = (publishes, nil)
            try UploadRows.write(upload, db)
            return try UploadRows.required(id, of: owner, db)
        }
        return upload.isWanted && upload.state == .ready ? try await publish(upload) : upload
    }

    /// Publishes an upload that plays.
    ///
    /// - Returns: the upload after it, with ``MemberUpload/problem`` if it could not be published.
    package func publish(_ upload: MemberUpload) async throws -> MemberUpload {
        let (id, now, words) = (OpaqueID(), now, settings.heldWords)
        return try await database.write { db in
            guard var current = try UploadRows.upload(upload.id, locks: true, db), let owner = current.owner,
                current.isWanted, !current.isRemoved, current.state == .ready, let title = current.title
            else { return try UploadRows.upload(upload.id, db) ?? upload }
            do {
                // The operator's list may have changed since.
                try Self.refuse(words, in: current.contents)
                _ = try self.insert(current.contents.checked(), id: id, title: title.id, owner: owner, at: now, db)
            } catch let error as Refusal {
                // Nothing was written before the error.
                (current.isWanted, current.problem) = (false, error.reason)
                try UploadRows.write(current, db)
            }
            return try UploadRows.upload(upload.id, db) ?? current
        }
    }

    /// Deletes an upload with its file, and its video if it is published.
    ///
    /// - Throws: `Refusal` with `loginNeeded` or `notFound`.
    package func deleteUpload(_ id: OpaqueID, by caller: Caller) async throws {
        let (owner, now) = (try Self.member(caller).id, now)
        try await database.write { db in
            let upload = try UploadRows.required(id, of: owner, locks: true, db)
            if let video = upload.video, let found = try VideoRows.video(video, reader: owner, locks: true, db) {
                try self.remove(found, at: now, db)
            } else {
                try self.tell(.removed(nil, upload: upload.id), at: now, db)
            }
            try UploadRows.remove(upload, db)
        }
    }

    /// Whether a title is made of a file of the caller.
    package func isUpload(title id: String, of caller: Caller) async throws -> Bool {
        guard let member = caller.principal.member?.id else { return false }
        return try await database.read { db in try UploadRows.owner(ofTitle: id, db) == member }
    }

    // MARK: For the server, which carries out what is wanted

    /// The uploads with which the server has something to do: those that play and are not prepared or published, those
    /// that cannot be played, those that are to be deleted, and those that may have been given up.
    ///
    /// - Parameter last: the last one of the page before; `nil` for the first page.
    package func openUploads(after last: MemberUpload? = nil) async throws -> [MemberUpload] {
        let time = now - MemberUpload.maximumAge
        if last == nil { try await linkUploads() }
        return try await database.read { db in
            try UploadRows.open(after: last?.number ?? 0, createdBefore: time, limit: Self.batchSize, db)
        }
    }

    /// Notes that nothing is to be done for an upload that plays, unless it was changed meanwhile. Its owner is told
    /// when it plays for the first time.
    package func close(_ upload: MemberUpload) async throws {
        let now = now
        try await database.write { db in
            guard try UploadRows.close(upload, db), !upload.isPrepared else { return }
            try self.tell(upload, plays: true, at: now, db)
        }
    }

    /// Notes that a file cannot be played, and has its owner told. If the ingest is tried again later and succeeds, the
    /// upload goes on.
    package func noteFailure(of upload: MemberUpload) async throws {
        let now = now
        try await database.write { db in
            guard var current = try UploadRows.upload(upload.id, locks: true, db), current.state == .failed,
                !current.isRemoved
            else { return }
            current.problem = "the file cannot be played"
            try UploadRows.write(current, db)
            try self.tell(current, plays: false, at: now, db)
        }
    }

    private func tell(
        _ upload: MemberUpload, plays: Bool, at now: WallClockTime, _ db: any SQLConnection
    ) throws {
        guard let owner = upload.owner else { return }
        let name = upload.videoName ?? upload.contents.name
        try tell(
            .prepared(upload.id, name: name.isEmpty ? upload.fileName : name, owner: owner, plays: plays), at: now, db)
    }

    /// Forgets an upload whose file and title were deleted.
    package func forget(_ upload: MemberUpload) async throws {
        try await database.write { db in try UploadRows.delete(upload, db) }
    }
}
