package import Foundation
package import GRDB

/// The common fields of titles and tracks, so that paging, searching and storing are implemented once.
package protocol CatalogueRecord: FetchableRecord, PersistableRecord, Sendable {
    var id: String { get set }
    var title: String { get set }
    var file: String { get set }
    var state: TitleState { get }
    var sourcePath: String { get set }
    var mediaPath: String? { get set }
    var byteCount: Int64 { get set }
    var modifiedAt: Date { get set }
    var revision: String { get set }
}

/// A record that can be found by its words.
protocol SearchableRecord {
    /// Name of an FTS5 table with one column, whose rows have the record's row number.
    static var searchTableName: String { get }
    var searchText: String { get }
    /// ID for records whose title cannot be turned into a slug.
    static var fallbackID: String { get }
}

extension TitleRecord: SearchableRecord {}
extension AudioTrackRecord: SearchableRecord {}
