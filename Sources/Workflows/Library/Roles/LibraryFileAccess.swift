package import Packaging

/// The files of the library.
package protocol LibraryFileAccess: Sendable {
    /// Opens a file that the library made, such as a poster; `nil` for any other.
    func servedFile(at path: String) async throws -> MediaFile?
    /// The file of a title as it came; `nil` if there is no such title, or if its file has been removed.
    func sourceFile(ofTitle id: String) async throws -> MediaFile?
    /// Deletes a title's file, the files derived from it, and its record; false if there is no title with that id.
    func deleteTitle(id: String) async throws -> Bool
    /// Deletes a track in the same way; false if there is no track with that id.
    func deleteTrack(id: String) async throws -> Bool
}
