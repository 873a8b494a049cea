package import LibraryDetails

/// Storage of the details of titles and tracks; part of ``CatalogueStore``.
package protocol DetailStore: Sendable {
    /// A title, and its details by their sources; `nil` if there is no title with that ID.
    func titleDetails(id: String) async throws -> (record: TitleRecord, layers: DetailLayers)?
    /// A track, and its details by their sources; `nil` if there is no track with that ID.
    func trackDetails(id: String) async throws -> (record: AudioTrackRecord, layers: DetailLayers)?
    /// Changes what an operator has chosen for a title and nothing else in one transaction.
    ///
    /// - Parameters:
    ///   - id: ID of the title.
    ///   - version: the `DetailLayers.version` that the title must have; `nil` for any.
    ///   - change: changes what was chosen.
    /// - Returns: the title after the change; `nil` if there is no title with that ID.
    /// - Throws: `Refusal` if the title has another version.
    func chooseDetails(
        ofTitle id: String, version: String?, _ change: @escaping @Sendable (inout ItemDetails) -> Void
    ) async throws -> (record: TitleRecord, layers: DetailLayers)?
    /// Changes what an operator has chosen for a track; see ``chooseDetails(ofTitle:version:_:)``.
    func chooseDetails(
        ofTrack id: String, version: String?, _ change: @escaping @Sendable (inout ItemDetails) -> Void
    ) async throws -> (record: AudioTrackRecord, layers: DetailLayers)?
    /// Stores what the notes beside the files say, and the images of titles.
    ///
    /// - Returns: the IDs of those that were there.
    func note(_ notes: [ItemNotes], ofTitles: Bool) async throws -> Set<String>
    /// The marks of all notes that were read, by the ID of their title or track.
    func noteMarks(ofTitles: Bool) async throws -> [String: String]
}
