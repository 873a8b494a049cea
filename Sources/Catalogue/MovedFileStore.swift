/// Storage of moved files; part of ``CatalogueStore``.
package protocol MovedFileStore: Sendable {
    /// Updates the file name of a title's record; its ID, choices and derived files are kept. The old name continues
    /// to lead to the title until another file gets that name.
    ///
    /// - Parameters:
    ///   - id: ID of the title.
    ///   - oldName: the file name that the record must have; otherwise nothing changes.
    ///   - file: the new place of the file.
    /// - Returns: the updated record; `nil` if nothing has changed.
    func moveTitle(id: String, from oldName: String, to file: MovedFile) async throws -> TitleRecord?
    /// Updates the file name of a track's record; see ``moveTitle(id:from:to:)``.
    func moveTrack(id: String, from oldName: String, to file: MovedFile) async throws -> AudioTrackRecord?
    /// The digest of a file's content; `nil` if it is not known.
    func digest(in section: String, of id: String) async throws -> ContentDigest?
}
