/// A byte range of a resource, as in EXT-X-BYTERANGE (rfc8216bis §4.4.4.2) and in BYTERANGE attributes.
package struct ByteRange: Sendable, Hashable {
    /// The number of bytes.
    package var length: Int
    /// First byte of the range; `nil` if the range begins where the previous range of the same resource ends.
    package var offset: Int?

    package init(length: Int, offset: Int? = nil) {
        self.length = length
        self.offset = offset
    }

    /// Parses `n[@o]`; `nil` for anything else.
    init?(parsing text: String) {
        let fields = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let length = Int(fields[0]), length >= 0 else { return nil }
        self.length = length
        guard fields.count > 1 else { return }
        guard let offset = Int(fields[1]), offset >= 0 else { return nil }
        self.offset = offset
    }
}
