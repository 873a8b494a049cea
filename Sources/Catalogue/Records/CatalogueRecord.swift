package import Foundation
package import GRDB

/// What titles and tracks have in common, so that paging, searching and storing are written once.
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

/// How a record is found by words.
protocol SearchableRecord {
    /// An FTS5 table of one column, with the record's row number.
    static var searchTableName: String { get }
    var searchText: String { get }
    /// What an id is made of where the title has nothing for it.
    static var fallbackID: String { get }
}

extension TitleRecord: SearchableRecord {}
extension AudioTrackRecord: SearchableRecord {}
