import Catalogue
package import LibraryCore
package import LibraryDetails

/// The names and descriptions of titles and tracks.
extension VODLibrary {
    /// The details of a title or track by their sources; `nil` if there is none with that ID.
    package func details(of id: String, in section: LibrarySection) async throws -> DetailLayers? {
        switch section {
        case .titles: try await context.catalogue.titleDetails(id: id)?.layers
        case .tracks: try await context.catalogue.trackDetails(id: id)?.layers
        }
    }

    /// Changes what an operator has chosen for a title or track.
    ///
    /// - Parameters:
    ///   - id: the ID of the title or track.
    ///   - section: the section that it is in.
    ///   - version: the version that the details must have; `nil` for any.
    ///   - change: changes what was chosen; a field without value has the file's own one.
    /// - Returns: the details after the change; `nil` if there is none with that ID.
    /// - Throws: `Refusal` if the details have another version.
    package func chooseDetails(
        of id: String, in section: LibrarySection, version: String?,
        _ change: @escaping @Sendable (inout ItemDetails) -> Void
    ) async throws -> DetailLayers? {
        let catalogue = context.catalogue
        return switch section {
        case .titles: try await catalogue.chooseDetails(ofTitle: id, version: version, change)?.layers
        case .tracks: try await catalogue.chooseDetails(ofTrack: id, version: version, change)?.layers
        }
    }
}
