import Database
import MediaCore
import Synchronization

extension Catalogue {
    package func changeImages(
        ofTitle id: String, revision: String?, if condition: @escaping RecordCondition<TitleRecord>,
        _ change: @escaping @Sendable (inout TitleImages) -> Void
    ) async throws -> (old: TitleRecord, new: TitleRecord)? {
        try await database.write { db in
            guard let old = try TitleRecord.first(db, "WHERE id = ?1\(db.dialect.rowLock)", .text(id)),
                revision == nil || old.revision == revision
            else { return nil }
            guard condition(old) else { throw Refusal.changedMeanwhile(id) }
            var images = TitleImages(old)
            change(&images)
            try db.execute(
                "UPDATE title SET poster = ?1, posterTime = ?2, uploadedPoster = ?3, storyboard = ?4 WHERE id = ?5",
                SQLValue(images.poster), SQLValue(images.posterTime), SQLValue(images.uploadedPoster),
                SQLValue(images.storyboard), .text(id))
            var title = old
            title.poster = images.poster
            title.posterTime = images.posterTime
            title.uploadedPoster = images.uploadedPoster
            title.storyboard = images.storyboard
            return (old, title)
        }
    }

    package func changeCovers(
        ofTrack id: String, if condition: @escaping RecordCondition<AudioTrackRecord>,
        _ change: @escaping @Sendable (inout TrackCovers) -> Void
    ) async throws -> (old: AudioTrackRecord, new: AudioTrackRecord)? {
        try await database.write { db in
            guard let old = try AudioTrackRecord.first(db, "WHERE id = ?1\(db.dialect.rowLock)", .text(id)) else {
                return nil
            }
            guard condition(old) else { throw Refusal.changedMeanwhile(id) }
            var covers = TrackCovers(old)
            change(&covers)
            try db.execute(
                "UPDATE audioTrack SET uploadedCover = ?1, coverOfFile = ?2 WHERE id = ?3", SQLValue(covers.uploaded),
                SQLValue(covers.ofFile), .text(id))
            var track = old
            (track.uploadedCover, track.coverOfFile) = (covers.uploaded, covers.ofFile)
            return (old, track)
        }
    }

    /// Does something that belongs to a title and lies outside of the database, such as its key, while nobody changes
    /// the title's record.
    ///
    /// - Parameters:
    ///   - id: ID of the title.
    ///   - body: does it, on a thread of the database, which it may block for a short time. It is called once, even if
    ///     the transaction has to be repeated. If it throws, the error is thrown here.
    /// - Returns: the result of `body`; `nil` if there is no title with that ID.
    package func holdingTitle<Result: Sendable>(
        id: String, _ body: @escaping @Sendable (TitleRecord) throws -> Result
    ) async throws -> Result? {
        let done = Mutex(Result?.none)
        return try await database.write { db in
            guard let title = try TitleRecord.first(db, "WHERE id = ?1\(db.dialect.rowLock)", .text(id)) else {
                return nil
            }
            if let result = done.withLock(\.self) { return result }
            let result = try body(title)
            done.withLock { $0 = result }
            return result
        }
    }

    package func titlesWithoutStoryboard(
        after number: Int64, limit: Int
    ) async throws -> (titles: [TitleRecord], last: Int64) {
        let rows = try await database.read { db in
            try TitleRecord.batch(
                after: number, where: "state = 'ready' AND videoCodec IS NOT NULL AND storyboard IS NULL", limit: limit,
                db)
        }
        return (rows.map(\.record), rows.last?.number ?? number)
    }
}
