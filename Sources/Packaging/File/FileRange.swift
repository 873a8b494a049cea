import ISOBMFF

/// A range of bytes of a file.
package struct FileRange: Sendable, Hashable {
    package var offset: Int64
    package var byteCount: Int

    /// Creates a range.
    package init(offset: Int64, byteCount: Int) {
        self.offset = offset
        self.byteCount = byteCount
    }

    /// The offset after the last byte.
    package var endOffset: Int64 { offset + Int64(byteCount) }
}
