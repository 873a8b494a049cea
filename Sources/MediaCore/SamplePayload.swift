package import NIOCore

/// A sample's bytes, still in the network buffers in which they arrived. They are copied once: into the part that is
/// being built.
package enum SamplePayload: Sendable {
    /// H.264 or HEVC, stored as NAL units that are each preceded by a 4-byte length (ISO/IEC 14496-15 §4.3.3).
    case nalUnits([FragmentedNALUnit])
    /// A sample that is one run of bytes, such as a raw AAC frame.
    case frame(ByteBuffer)

    /// Number of bytes that ``write(into:)`` writes.
    package var byteCount: Int {
        switch self {
        case .nalUnits(let units): units.reduce(0) { $0 + 4 + $1.byteCount }
        case .frame(let buffer): buffer.readableBytes
        }
    }

    /// Appends the sample in the form in which an `mdat` box holds it.
    package func write(into buffer: inout ByteBuffer) {
        switch self {
        case .nalUnits(let units):
            for unit in units {
                buffer.writeInteger(UInt32(clamping: unit.byteCount))
                unit.write(into: &buffer)
            }
        case .frame(let frame):
            buffer.writeImmutableBuffer(frame)
        }
    }
}
