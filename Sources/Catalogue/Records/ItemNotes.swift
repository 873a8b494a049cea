package import LibraryDetails

/// The details from the notes beside a file.
package struct ItemNotes: Sendable, Hashable {
    /// The ID of the title or track.
    package var id: String
    package var details: ItemDetails
    /// The image beside the file; `nil` if there is none.
    package var image: PosterFile?
    /// A text that changes when the notes change; `nil` if there are none any more.
    package var mark: String?

    package init(id: String, details: ItemDetails, image: PosterFile? = nil, mark: String?) {
        (self.id, self.details, self.image, self.mark) = (id, details, image, mark)
    }
}
