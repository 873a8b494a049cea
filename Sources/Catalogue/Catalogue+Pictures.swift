import GRDB

extension Catalogue {
    package func changePictures(
        ofTitle id: String, revision: String?, _ change: @escaping @Sendable (inout TitlePictures) -> Void
    ) async throws -> (old: TitleRecord, new: TitleRecord)? {
        try await write(durability: .onDisk) { db in
            guard let old = try TitleRecord.fetchOne(db, sql: "SELECT * FROM title WHERE id = ?", arguments: [id]),
                revision == nil || old.revision == revision
            else { return nil }
            var images = TitlePictures(old)
            change(&images)
            try db.execute(
                sql: "UPDATE title SET poster = ?, posterTime = ?, uploadedPoster = ?, storyboard = ? WHERE id = ?",
                arguments: [
                    images.poster, images.posterTime, images.uploadedPoster, images.storyboard, id,
                ])
            var title = old
            title.poster = images.poster
            title.posterTime = images.posterTime
            title.uploadedPoster = images.uploadedPoster
            title.storyboard = images.storyboard
            return (old, title)
        }
    }

    package func titlesWithoutStoryboard(
        after number: Int64, limit: Int
    ) async throws -> (titles: [TitleRecord], last: Int64) {
        try await database.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM title
                    WHERE number > ? AND state = 'ready' AND videoCodec IS NOT NULL AND storyboard IS NULL
                    ORDER BY number LIMIT ?
                    """, arguments: [number, limit])
            return (try rows.map { try TitleRecord(row: $0) }, rows.last?["number"] ?? number)
        }
    }
}
