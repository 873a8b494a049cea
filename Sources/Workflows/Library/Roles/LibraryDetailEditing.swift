package import LibraryCore
package import LibraryDetails

/// The details of titles and tracks, and operators' choices.
package protocol LibraryDetailEditing: Sendable {
    /// The details of a title or track by their sources; `nil` if there is none with that id.
    func details(of id: String, in section: LibrarySection) async throws -> DetailLayers?
    /// Changes what an operator has chosen for a title or track; `nil` if there is none with that id.
    ///
    /// - Parameters:
    ///   - id: the ID of the title or track.
    ///   - section: the section that it is in.
    ///   - version: the `DetailLayers.version` that it must have; `nil` for any.
    ///   - change: changes what was chosen.
    /// - Returns: the details after the change.
    /// - Throws: `Refusal` if it has another version.
    func chooseDetails(
        of id: String, in section: LibrarySection, version: String?,
        _ change: @escaping @Sendable (inout ItemDetails) -> Void
    ) async throws -> DetailLayers?
}
