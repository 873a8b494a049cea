/// The degree to which a sender interleaves NAL units, according to its SDP.
package struct NALUnitInterleaving: Sendable, Hashable {
    /// sprop-interleaving-depth (RFC 6184 §8.1) or sprop-depack-buf-nalus (RFC 7798 §7.1).
    package var depth: Int
    /// sprop-max-don-diff; `nil` if the SDP does not state it.
    package var maximumDifference: Int?

    /// Creates parameters; values outside 0 to 32,767 (RFC 6184 §8.1) are clamped.
    package init(depth: Int, maximumDifference: Int? = nil) {
        self.depth = min(max(0, depth), 32_767)
        self.maximumDifference = maximumDifference.map { min(max(0, $0), 32_767) }
    }
}
