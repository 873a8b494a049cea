import Database

extension Catalogue {
    package func changeImages(
        ofTitle id: String, revision: String?, _ change: @escaping @Sendable (inout TitleImages) -> Void
    ) async throws -> (old: TitleRecord, new: TitleRecord)? {
        try await database.write { db in
            guard let old = try TitleRecord.first(db, "WHERE id = ?1\(db.dialect.rowLock)", .text(id)),
                revision == nil || old.revision == revision
            else { return nil }
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
        ofTrack id: String, _ change: @escaping @Sendable (inout TrackCovers) -> Void
    ) async throws -> (old: AudioTrackRecord, new: AudioTrackRecord)? {
        try await database.write { db in
            guard let old = try AudioTrackRecord.first(db, "WHERE id = ?1\(db.dialect.rowLock)", .text(id)) else {
                return nil
            }
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
