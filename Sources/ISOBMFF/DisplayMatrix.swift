/// The transformation matrix of `tkhd` (ISO/IEC 14496-12 §8.3.2), stored as written.
package struct DisplayMatrix: Sendable, Hashable {
    /// Nine 32-bit fixed-point numbers.
    package var values: [UInt32]

    package static let identity = DisplayMatrix(values: [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000])
}
