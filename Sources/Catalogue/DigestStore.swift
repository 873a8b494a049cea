/// Storage of content digests; part of ``CatalogueStore``. Sections are `vod` and `audio`.
package protocol DigestStore: Sendable {
    /// Some of the ready titles or tracks without a digest of their current file.
    ///
    /// - Parameters:
    ///   - section: `vod` or `audio`.
    ///   - number: the `last` value of the previous call; 0 for the first call.
    ///   - limit: maximum number of files.
    func undigestedFiles(in section: String, after number: Int64, limit: Int) async throws -> (
        files: [UndigestedFile], last: Int64
    )
    /// Stores a digest.
    func write(_ digest: ContentDigest) async throws
    /// Digests of other files with the same size and sample, in the order in which the files were added. Duplicates
    /// are excluded, and the result is limited to a few dozen.
    func digests(like digest: ContentDigest) async throws -> [ContentDigest]
    /// Marks a file as a duplicate.
    ///
    /// - Parameters:
    ///   - section: The file's section of the library.
    ///   - id: The file's ID within its section.
    ///   - original: ID of the original; `nil` if the file is not a duplicate.
    func noteDuplicate(in section: String, _ id: String, of original: String?) async throws
    /// Removes the digest of a file that was deleted or replaced. The first of its duplicates becomes the original of
    /// the others.
    func removeDigest(in section: String, of id: String) async throws
}
