/// File types of embedded cover art. A worker may choose only this part of a file's name.
package enum CoverType: String, Codable, Sendable, CaseIterable {
    case jpg
    case png
    case gif
    case webp

    package var mediaType: String { self == .jpg ? "image/jpeg" : "image/\(rawValue)" }
}
