package import Catalogue

/// The title that was made of a member's upload.
package struct UploadedTitle: Sendable, Hashable {
    package var id: String
    /// The name that the library shows.
    package var name: String
    package var state: TitleState
    /// From 0 to 1 while a file is converted.
    package var progress: Double?
    /// Why it does not play; `nil` if it may play.
    package var error: String?
    /// In seconds; `nil` until it is known.
    package var duration: Double?
    package var hasPoster: Bool

    package init(
        id: String, name: String, state: TitleState, progress: Double? = nil, error: String? = nil,
        duration: Double? = nil, hasPoster: Bool = false
    ) {
        (self.id, self.name, self.state) = (id, name, state)
        (self.progress, self.error, self.duration, self.hasPoster) = (progress, error, duration, hasPoster)
    }
}
