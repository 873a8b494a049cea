/// Where the library keeps what it knows; ``Catalogue`` keeps it in SQLite (design decision 10).
///
/// A call that returns has happened: what it wrote outlives a kill and, but for ``Durability/soon``, a power cut.
package protocol CatalogueStore: JobStore, DigestStore, PictureStore, MovedFileStore {
    func title(id: String) async throws -> TitleRecord?
    /// - Parameter file: relative to the media folder; or what the file was called before, unless another one has that
    ///   name now.
    func title(file: String) async throws -> TitleRecord?
    /// A page in the order of ``SortKey``.
    ///
    /// - Parameters:
    ///   - query: words that begin words of the title; `nil` or empty for all.
    ///   - cursor: the `next` of the page before.
    ///   - limit: brought into 1...``Catalogue/maximumPageSize``.
    /// - Throws: ``CatalogueError``
    func titles(matching query: String?, after cursor: String?, limit: Int) async throws -> Page<TitleRecord>
    func allTitles() async throws -> [TitleRecord]
    /// Whether another file's title has the same name, but for case and marks.
    func hasTitle(named name: String, besidesFile file: String) async throws -> Bool
    /// Gives a new title its id and keeps it; at once, so that no two get the same.
    ///
    /// - Parameter title: its `id` is a wish, any text; an empty one wishes for the title's name.
    /// - Returns: the record as it is kept: the one there was, where the file is known.
    func add(_ title: TitleRecord, durability: Durability) async throws -> TitleRecord
    /// Replaces the record with the same id, if that is still of `revision` and of the same file name.
    ///
    /// - Returns: whether it was; otherwise nothing has changed.
    func update(_ title: TitleRecord, from revision: String) async throws -> Bool
    /// Without effect where there is none.
    func deleteTitle(id: String) async throws

    func track(id: String) async throws -> AudioTrackRecord?
    func track(file: String) async throws -> AudioTrackRecord?
    func tracks(matching query: String?, after cursor: String?, limit: Int) async throws -> Page<AudioTrackRecord>
    func allTracks() async throws -> [AudioTrackRecord]
    func hasTrack(named name: String, besidesFile file: String) async throws -> Bool
    func add(_ track: AudioTrackRecord) async throws -> AudioTrackRecord
    func update(_ track: AudioTrackRecord, from revision: String) async throws -> Bool
    func deleteTrack(id: String) async throws

    /// What was written for ``Durability/soon`` is on the disk afterwards.
    func makeDurable() async throws

    /// How many can be played.
    func counts() async throws -> (titles: Int, tracks: Int)
}

/// What a write outlives from the moment that its call returns.
package enum Durability: Sendable {
    /// A kill, and a power cut.
    case onDisk
    /// A kill; a power cut only after the next write or ``CatalogueStore/makeDurable()``. For what would be found again,
    /// and somebody waits for: a disk takes milliseconds.
    case soon
}

extension CatalogueStore {
    package func add(_ title: TitleRecord) async throws -> TitleRecord { try await add(title, durability: .onDisk) }
}
