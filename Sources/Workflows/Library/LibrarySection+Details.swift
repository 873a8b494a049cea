package import LibraryCore
package import LibraryDetails

extension LibrarySection {
    /// The fields of the details of the section's items.
    package var detailFields: [DetailField] {
        switch self {
        case .titles: DetailField.ofTitles
        case .tracks: DetailField.ofTracks
        }
    }
}
