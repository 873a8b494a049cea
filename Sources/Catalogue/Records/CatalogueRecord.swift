package import Foundation

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
}

extension TitleRecord: CatalogueRecord {}

extension AudioTrackRecord: CatalogueRecord {}
