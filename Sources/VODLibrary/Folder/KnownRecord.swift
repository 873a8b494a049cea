import Catalogue

/// The properties of a title's or track's record that are compared with the media folder.
struct KnownRecord: Sendable, Equatable {
    var id: String
    var revision: String
    var isFinal: Bool
    var byteCount: Int64 = 0
}

extension KnownRecord {
    init(_ record: some CatalogueRecord) {
        self.init(id: record.id, revision: record.revision, isFinal: record.state.isFinal, byteCount: record.byteCount)
    }
}
