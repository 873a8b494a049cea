package import VODLibrary

/// All operations on the library. The server uses `VODLibrary`. An endpoint asks for the role that it needs.
package protocol LibraryOperations: LibraryDetailEditing, LibraryFileAccess, LibraryImages, LibraryIntake,
    LibraryJobControl,
    LibraryLadders, LibraryMediaStore
{}

extension VODLibrary: LibraryOperations {}
