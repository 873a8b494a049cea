package import Database

/// Storage for the library's records; ``Catalogue`` implements it with a database.
///
/// A write is durable when its call returns: it survives a crash of the process and, except with `SQLDurability.soon`,
/// a power cut.
package protocol CatalogueStore: JobStore, DigestStore, PictureStore, MovedFileStore {
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
    /// - Throws: ``CatalogueError`` if the cursor is not valid.
    func titles(matching query: String?, after cursor: String?, limit: Int) async throws -> Page<TitleRecord>
    func allTitles() async throws -> [TitleRecord]
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

    func track(id: String) async throws -> AudioTrackRecord?
    func track(file: String) async throws -> AudioTrackRecord?
    func tracks(matching query: String?, after cursor: String?, limit: Int) async throws -> Page<AudioTrackRecord>
    func allTracks() async throws -> [AudioTrackRecord]
    func hasTrack(named name: String, besidesFile file: String) async throws -> Bool
    func add(_ track: AudioTrackRecord) async throws -> AudioTrackRecord
    func update(_ track: AudioTrackRecord, from revision: String) async throws -> Bool
    func deleteTrack(id: String) async throws

    /// Makes writes with `SQLDurability.soon` durable.
    func makeDurable() async throws

    /// Numbers of playable titles and tracks.
    func counts() async throws -> (titles: Int, tracks: Int)
}

extension CatalogueStore {
    package func add(_ title: TitleRecord) async throws -> TitleRecord { try await add(title, durability: .onDisk) }
}
