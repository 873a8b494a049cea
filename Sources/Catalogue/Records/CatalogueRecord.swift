package import Foundation
package import LibraryDetails

/// The common fields of titles and tracks, so that paging, searching and storing are implemented once.
package protocol CatalogueRecord: Sendable {
    var id: String { get set }
    var title: String { get set }
    var file: String { get set }
    var state: TitleState { get }
    var sourcePath: String { get set }
    var mediaPath: String? { get set }
    var byteCount: Int64 { get set }
    var modifiedAt: Date { get set }
    var revision: String { get set }
    /// The effective details; the catalogue finds them whenever it writes the record.
    var details: ItemDetails { get }
    /// The details from the file's tags, its name and its folders.
    var fileDetails: ItemDetails { get set }
    /// The details that the other fields show.
    var columnDetails: ItemDetails { get }
    /// Shows details from now on; a record without a name keeps the one that it has.
    mutating func show(_ details: ItemDetails)
}

extension CatalogueRecord {
    /// Takes what a file says. People see it except where something else takes precedence.
    package mutating func describeFile(_ new: ItemDetails) {
        var shown = details
        for field in DetailField.allCases where details[field] == fileDetails[field] { shown[field] = new[field] }
        fileDetails = new
        show(shown)
    }
}

extension TitleRecord: CatalogueRecord {}

extension AudioTrackRecord: CatalogueRecord {}
