/// The transformation matrix of `tkhd` (ISO/IEC 14496-12 §8.3.2), stored as written.
package struct DisplayMatrix: Sendable, Hashable {
    /// Nine 32-bit fixed-point numbers.
    package var values: [UInt32]

    /// True if it turns the video by 90 or 270 degrees, which exchanges width and height.
    package var swapsSides: Bool {
        guard values.count == 9 else { return false }
        func magnitude(_ index: Int) -> UInt32 { Int32(bitPattern: values[index]).magnitude }
        return magnitude(1) > magnitude(0) && magnitude(3) > magnitude(4)
    }

    package static let identity = DisplayMatrix(values: [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000])
}
