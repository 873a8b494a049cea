/// Extracts the raw byte sequence payload of a NAL unit by removing the emulation prevention bytes (ITU-T H.264
/// §7.3.1, H.265 §7.3.1.1).
///
/// - Parameters:
///   - nalUnit: the unit with its header, without start code.
///   - headerByteCount: 1 for H.264, 2 for HEVC.
package func rawByteSequencePayload(of nalUnit: [UInt8], headerByteCount: Int) -> [UInt8] {
    var payload: [UInt8] = []
    payload.reserveCapacity(nalUnit.count)
    var zeros = 0
    for byte in nalUnit.dropFirst(headerByteCount) {
        if zeros >= 2 && byte == 3 {
            zeros = 0
            continue
        }
        zeros = byte == 0 ? zeros + 1 : 0
        payload.append(byte)
    }
    return payload
}
