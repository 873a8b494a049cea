/// The section of the library to which a file belongs.
package enum LibrarySection: String, Sendable, Hashable, CaseIterable {
    case titles = "vod"
    case tracks = "audio"

    package var other: LibrarySection { self == .titles ? .tracks : .titles }

    /// Returns whether a file of that kind becomes a record in this section.
    package func takes(_ kind: MediaKind) -> Bool {
        switch kind {
        case .video: self == .titles
        case .audio: self == .tracks
        case .videoOrAudio: true
        case .playlist: false
        }
    }
}
