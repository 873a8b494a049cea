import Database
package import MediaCore

extension Catalogue: CollectionStore {
    package func series(
        visible: RecordVisibility?, after cursor: String?, limit: Int
    ) async throws -> ListPage<LibraryCollection<TitleRecord>> {
        try await collections(.series, visible, cursor, limit)
    }

    package func series(id: String, visible: RecordVisibility?) async throws -> LibraryCollection<TitleRecord>? {
        try await collection(.series, id, visible)
    }

    package func titles(
        ofSeries id: String, visible: RecordVisibility?, after cursor: String?, limit: Int
    ) async throws -> ListPage<ListedTitle> {
        let query = CollectionQuery<TitleRecord>(list: .series, visible: visible)
        return try await members(
            query, id, cursor, limit, more: ", \(ShelfRows.listingColumns)", join: ShelfRows.listingJoin
        ) { record, row in ListedTitle(record: record, listing: try ShelfRows.listing(row)) }
    }

    package func albums(
        ofArtist artist: String?, visible: RecordVisibility?, after cursor: String?, limit: Int
    ) async throws -> ListPage<LibraryCollection<AudioTrackRecord>> {
        try await collections(artist.map(CollectionList.albums(ofArtist:)) ?? .albums, visible, cursor, limit)
    }

    package func album(
        id: String, visible: RecordVisibility?
    ) async throws -> LibraryCollection<AudioTrackRecord>? {
        try await collection(.albums, id, visible)
    }

    package func tracks(
        ofAlbum id: String, visible: RecordVisibility?, after cursor: String?, limit: Int
    ) async throws -> ListPage<AudioTrackRecord> {
        try await members(
            CollectionQuery<AudioTrackRecord>(list: .albums, visible: visible), id, cursor, limit
        ) { record, _ in record }
    }

    package func artists(
        visible: RecordVisibility?, after cursor: String?, limit: Int
    ) async throws -> ListPage<LibraryCollection<AudioTrackRecord>> {
        try await collections(.artists, visible, cursor, limit)
    }

    package func artist(
        id: String, visible: RecordVisibility?
    ) async throws -> LibraryCollection<AudioTrackRecord>? {
        try await collection(.artists, id, visible)
    }

    // MARK: Reading

    private func collections<Record: LibraryRecord & Sendable>(
        _ list: CollectionList, _ visible: RecordVisibility?, _ cursor: String?, _ limit: Int
    ) async throws -> ListPage<LibraryCollection<Record>> {
        let limit = min(max(1, limit), Self.maximumPageSize)
        var place = ""
        if let cursor {
            place = try ListCursor(parsing: cursor, of: list.name, keyCount: 1).keys[0]
        }
        let statement = CollectionQuery<Record>(list: list, visible: visible)
            .collections(after: place, limit: limit + 1)
        let rows = try await database.read { db in
            try db.rows(statement.sql, statement.arguments, CollectionQuery<Record>.collection)
        }
        let next = rows.count > limit ? rows[limit - 1].place : nil
        return ListPage(
            items: rows.prefix(limit).map(\.collection),
            next: next.map { ListCursor(list.name, [$0]).text })
    }

    private func collection<Record: LibraryRecord & Sendable>(
        _ list: CollectionList, _ id: String, _ visible: RecordVisibility?
    ) async throws -> LibraryCollection<Record>? {
        let statement = CollectionQuery<Record>(list: list, visible: visible).collection(id: id)
        return try await database.read { db in
            try db.first(statement.sql, statement.arguments, CollectionQuery<Record>.collection)?.collection
        }
    }

    private func members<Record: LibraryRecord & Sendable, Item: Sendable>(
        _ query: CollectionQuery<Record>, _ id: String, _ cursor: String?, _ limit: Int, more: String = "",
        join: String = "", _ item: @escaping @Sendable (Record, SQLRow) throws -> Item
    ) async throws -> ListPage<Item> {
        let limit = min(max(1, limit), Self.maximumPageSize)
        let statement = query.members(
            ofID: id, after: try cursor.map(MemberCursor.init(parsing:)), limit: limit + 1, more: more, join: join)
        return try await database.read { db in
            let rows = try db.rows(statement.sql, statement.arguments) { row in
                let (record, cursor) = try CollectionQuery<Record>.member(row)
                return (item: try item(record, row), cursor: cursor)
            }
            return ListPage(
                items: rows.prefix(limit).map(\.item), next: rows.count > limit ? rows[limit - 1].cursor.text : nil)
        }
    }
}
