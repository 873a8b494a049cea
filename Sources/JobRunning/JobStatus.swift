package import Catalogue
package import Foundation

/// A running or waiting job in short, with progress that is not written to the catalogue.
package struct JobStatus: Sendable, Codable, Hashable {
    /// The ID of the title or track; empty for an import.
    package var id: String
    package var kind: JobKind
    package var file: String
    package var state: TitleState
    /// Progress from 0 to 1; `nil` if it is not known.
    package var progress: Double?
    package var startedAt: Date?
}
