/// Digests that tell whether two files have the same content.
package struct ContentDigest: Sendable, Equatable {
    /// Section of the library, `vod` or `audio`; only files of the same section are compared.
    package var section: String
    /// ID of the title or track.
    package var subject: String
    /// Revision of the file from which the digest was made.
    package var revision: String
    /// Size of the file in bytes.
    package var byteCount: Int64
    /// Digest of a sample of the bytes.
    package var sample: String
    /// Digest of all bytes; computed only if another file of the same size has the same sample, otherwise `nil`.
    package var whole: String?
    /// ID of the original that this file is a duplicate of; `nil` if it is not a duplicate.
    package var original: String?

    package init(
        section: String, subject: String, revision: String, byteCount: Int64, sample: String, whole: String? = nil
    ) {
        self.section = section
        self.subject = subject
        self.revision = revision
        self.byteCount = byteCount
        self.sample = sample
        self.whole = whole
    }
}
