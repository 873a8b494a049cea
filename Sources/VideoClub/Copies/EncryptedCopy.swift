import OfflineCopyFormat

/// The encrypted bytes of a copy, made when they are read.
package struct EncryptedCopy: Sendable {
    let contents: any CopyContents
    let cipher: CopyCipher

    package var byteCount: Int64 { contents.byteCount }

    /// Reads a range of at most a megabyte.
    package func read(_ range: Range<Int64>) async throws -> [UInt8] {
        try cipher.apply(to: try await contents.read(range), at: range.lowerBound)
    }
}
