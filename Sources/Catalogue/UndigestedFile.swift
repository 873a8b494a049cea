import GRDB

/// A title or track whose digest is not known yet.
package struct UndigestedFile: Sendable, Codable, Equatable, FetchableRecord {
    package var id: String
    package var sourcePath: String
    package var revision: String
}
