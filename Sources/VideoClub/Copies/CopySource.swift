/// Makes the bytes of copies; the server answers it with the library and the packager.
package protocol CopySource: Sendable {
    /// The renditions of a title.
    ///
    /// - Throws: `Refusal` with `notFound` or `unavailable`.
    func renditions(ofTitle id: String) async throws -> [CopyRendition]
    /// The bytes of a rendition's copy before their encryption.
    ///
    /// - Throws: `Refusal` with `notFound` or `unavailable`.
    func contents(ofTitle id: String, rendition: String) async throws -> any CopyContents
}
