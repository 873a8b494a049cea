import Catalogue
import Foundation
import MediaFolders

extension CatalogueRecord {
    /// Stores the properties of the source when it was read.
    mutating func describe(_ file: FoundFile) {
        sourcePath = file.path
        byteCount = file.byteCount
        modifiedAt = file.modifiedAt
        revision = file.revision
    }
}
