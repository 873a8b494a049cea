package import Catalogue
package import LibraryDetails

/// The names and descriptions of titles and tracks.
extension VODLibrary {
    /// A title, and its details by their sources; `nil` if there is no title with that ID.
    package func details(ofTitle id: String) async throws -> (record: TitleRecord, layers: DetailLayers)? {
        try await context.catalogue.titleDetails(id: id)
    }

    /// A track, and its details by their sources; `nil` if there is no track with that ID.
    package func details(ofTrack id: String) async throws -> (record: AudioTrackRecord, layers: DetailLayers)? {
        try await context.catalogue.trackDetails(id: id)
    }

    /// Changes what an operator has chosen for a title.
    ///
    /// - Parameters:
    ///   - id: the title's ID.
    ///   - version: the version that the details must have; `nil` for any.
    ///   - change: changes what was chosen; a field without value has the file's own one.
    /// - Returns: the title after the change; `nil` if there is no title with that ID.
    /// - Throws: `CatalogueError` if the details have another version.
    package func chooseDetails(
        ofTitle id: String, version: String?, _ change: @escaping @Sendable (inout ItemDetails) -> Void
    ) async throws -> (record: TitleRecord, layers: DetailLayers)? {
        try await context.catalogue.chooseDetails(ofTitle: id, version: version, change)
    }

    /// Changes what an operator has chosen for a track, in the same way.
    package func chooseDetails(
        ofTrack id: String, version: String?, _ change: @escaping @Sendable (inout ItemDetails) -> Void
    ) async throws -> (record: AudioTrackRecord, layers: DetailLayers)? {
        try await context.catalogue.chooseDetails(ofTrack: id, version: version, change)
    }
}
