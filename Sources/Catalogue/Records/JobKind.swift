/// The purpose of a job. Each use case defines its own kind without a change to this type.
package struct JobKind: RawRepresentable, Hashable, Sendable, Codable {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let title = JobKind(rawValue: "title")
    package static let track = JobKind(rawValue: "track")
    package static let poster = JobKind(rawValue: "poster")
    /// Makes a track's cover of the image beside its file.
    package static let cover = JobKind(rawValue: "cover")
    package static let storyboard = JobKind(rawValue: "storyboard")
    /// Imports a file from a URL.
    package static let download = JobKind(rawValue: "import")
    /// Encodes the renditions of a title's adaptive-bitrate ladder.
    package static let ladder = JobKind(rawValue: "ladder")
}
