import Catalogue
import MediaFolders

/// The properties of a title's or track's record that are compared with the media folder.
struct KnownRecord: Sendable, Equatable {
    var id: String
    var revision: String
    var isFinal: Bool
    var byteCount: Int64 = 0

    /// True if the file failed because the server may not read it.
    var wasForbidden: Bool { revision.hasPrefix(FoundFile.unreadablePrefix) }
}

extension KnownRecord {
    init(_ record: some CatalogueRecord) {
        self.init(id: record.id, revision: record.revision, isFinal: record.state.isFinal, byteCount: record.byteCount)
    }
}
