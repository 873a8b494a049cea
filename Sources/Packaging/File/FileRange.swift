import ISOBMFF

/// A range of bytes of a file.
package struct FileRange: Sendable, Hashable {
    /// Bytes from the start of the file.
    package var offset: Int64
    /// The length in bytes.
    package var byteCount: Int

    /// Creates a range.
    package init(offset: Int64, byteCount: Int) {
        self.offset = offset
        self.byteCount = byteCount
    }

    /// The offset after the last byte.
    package var endOffset: Int64 { offset + Int64(byteCount) }
}
