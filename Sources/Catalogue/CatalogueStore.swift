package import Database
package import MediaCore

/// Storage for the library's records; ``Catalogue`` implements it with a database.
///
/// A write is durable when its call returns: it survives a crash of the process and, except with `SQLDurability.soon`,
/// a power cut.
package protocol CatalogueStore: JobStore, DigestStore, ImageStore, MovedFileStore, DetailStore {
    /// The title with this ID; `nil` if there is none.
    func title(id: String) async throws -> TitleRecord?
    /// The title of a file; `nil` if there is none.
    ///
    /// - Parameter file: name relative to the media folder; or a former name, unless another file has that name now.
    func title(file: String) async throws -> TitleRecord?
    /// A page of titles in the order of `SortKey`.
    ///
    /// - Parameters:
    ///   - query: beginnings of words in the title; `nil` or empty for all titles.
    ///   - cursor: the `next` value of the previous page; `nil` for the first page.
    ///   - limit: page size, clamped to 1...``Catalogue/maximumPageSize``.
    /// - Throws: `Refusal` if the cursor is not valid.
    func titles(matching query: String?, after cursor: String?, limit: Int) async throws -> ListPage<TitleRecord>
    /// Titles in the order in which they were added, a limited number at a time, so that no call takes long and a large
    /// library is never in memory as a whole.
    ///
    /// - Parameter number: the `next` value of the batch before; 0 for the first batch.
    func titles(after number: Int64) async throws -> RecordBatch<TitleRecord>
    /// Whether the title of another file has the same name, regardless of case and diacritical marks.
    func hasTitle(named name: String, besidesFile file: String) async throws -> Bool
    /// Adds a title with a unique ID. The ID is chosen and stored in one transaction, so that no two titles get the
    /// same.
    ///
    /// - Parameters:
    ///   - title: the title. Its `id` is a preference and may be any text; if it is empty, the title's name is used.
    ///   - durability: see `SQLDurability`.
    /// - Returns: the stored record; if the file is already known, its existing record.
    func add(_ title: TitleRecord, durability: SQLDurability) async throws -> TitleRecord
    /// Replaces the record with the same ID if it still has that revision and the same file name.
    ///
    /// - Returns: whether it was replaced; otherwise nothing has changed.
    func update(_ title: TitleRecord, from revision: String) async throws -> Bool
    /// Deletes a title; does nothing if there is none with that ID.
    func deleteTitle(id: String) async throws

    /// The audio track with this ID; `nil` if there is none.
    func track(id: String) async throws -> AudioTrackRecord?
    /// The audio track of a file; `nil` if there is none. Former names count as in `title(file:)`.
    func track(file: String) async throws -> AudioTrackRecord?
    /// A page of audio tracks in the order of `SortKey`. The query searches title, artist and album.
    ///
    /// - Throws: `Refusal` if the cursor is not valid.
    func tracks(matching query: String?, after cursor: String?, limit: Int) async throws -> ListPage<AudioTrackRecord>
    /// Audio tracks in the order in which they were added; see ``titles(after:)``.
    func tracks(after number: Int64) async throws -> RecordBatch<AudioTrackRecord>
    /// Whether the audio track of another file has the same name, regardless of case and diacritical marks.
    func hasTrack(named name: String, besidesFile file: String) async throws -> Bool
    /// Adds an audio track with a unique ID, in the same way as `add(_:durability:)` adds a title.
    func add(_ track: AudioTrackRecord) async throws -> AudioTrackRecord
    /// Replaces the record with the same ID if it still has that revision and the same file name.
    ///
    /// - Returns: whether it was replaced; otherwise nothing has changed.
    func update(_ track: AudioTrackRecord, from revision: String) async throws -> Bool
    /// Deletes an audio track; does nothing if there is none with that ID.
    func deleteTrack(id: String) async throws

    /// Makes writes with `SQLDurability.soon` durable.
    func makeDurable() async throws

    /// Numbers of playable titles and tracks.
    func counts() async throws -> (titles: Int, tracks: Int)
}

extension CatalogueStore {
    /// Adds a title that survives a power cut when the call has returned.
    package func add(_ title: TitleRecord) async throws -> TitleRecord { try await add(title, durability: .onDisk) }

    /// Calls `body` with all titles, batch by batch.
    package func forEachBatchOfTitles(
        isolation: isolated (any Actor)? = #isolation, _ body: ([TitleRecord]) async throws -> Void
    ) async throws {
        try await forEachBatch({ try await titles(after: $0) }, body)
    }

    /// Calls `body` with all tracks, batch by batch.
    package func forEachBatchOfTracks(
        isolation: isolated (any Actor)? = #isolation, _ body: ([AudioTrackRecord]) async throws -> Void
    ) async throws {
        try await forEachBatch({ try await tracks(after: $0) }, body)
    }

    private func forEachBatch<Record>(
        isolation: isolated (any Actor)? = #isolation, _ read: (_ number: Int64) async throws -> RecordBatch<Record>,
        _ body: ([Record]) async throws -> Void
    ) async throws {
        var next: Int64? = 0
        while let number = next {
            let batch = try await read(number)
            try await body(batch.records)
            next = batch.next
        }
    }
}
