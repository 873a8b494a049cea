/// The bytes of a copy before their encryption.
package protocol CopyContents: Sendable {
    var byteCount: Int64 { get }
    /// Changes whenever the bytes do.
    var revision: String { get }
    /// Reads a range of at most a megabyte.
    func read(_ range: Range<Int64>) async throws -> [UInt8]
}
