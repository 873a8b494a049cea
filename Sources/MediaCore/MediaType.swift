/// The kind of media that a track carries.
package enum MediaType: String, Sendable, Hashable, CaseIterable, Codable {
    case video
    case audio
}
