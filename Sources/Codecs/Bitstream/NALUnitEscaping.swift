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

/// Makes a NAL unit by adding emulation prevention bytes to its payload (ITU-T H.264 §7.4.1.1, H.265 §7.4.2.3); the
/// inverse of ``rawByteSequencePayload(of:headerByteCount:)``.
func nalUnit(header: some Sequence<UInt8>, payload: [UInt8]) -> [UInt8] {
    var unit = Array(header)
    unit.reserveCapacity(unit.count + payload.count + 8)
    var zeros = 0
    for byte in payload {
        if zeros >= 2 && byte <= 3 {
            unit.append(3)
            zeros = 0
        }
        zeros = byte == 0 ? zeros + 1 : 0
        unit.append(byte)
    }
    return unit
}
