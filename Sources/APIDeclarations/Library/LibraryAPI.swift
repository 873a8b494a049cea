package import APIContract

/// The operations of the API for library.
package enum LibraryAPI {
    package static let listMisplacedFiles = APIOperation(
        .get, "/api/v1/library/misplaced", "listMisplacedFiles",
        "Files in the media folder that were passed over: of the wrong folder, of an unknown kind, with an unusable name",
        answer: .page(of: MisplacedFileFields.self, "Files that were passed over, at most 100 per section"))
}
