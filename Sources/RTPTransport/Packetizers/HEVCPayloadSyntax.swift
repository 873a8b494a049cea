import Codecs
import NIOCore

/// Payload syntax of HEVC without decoding order numbers (RFC 7798): single NAL unit packets, aggregation packets,
/// fragmentation units.
enum HEVCPayloadSyntax: NALUnitPayloadSyntax {
    static let headerByteCount = 2
    static let aggregationHeaderByteCount = 2
    static let fragmentHeaderByteCount = 3

    /// Types from 48 denote packet structures (RFC 7798 §4.4).
    static func isNALUnit(firstByte: UInt8) -> Bool { HEVCNALUnitType.type(headerByte: firstByte) < 48 }

    static func isParameterSet(firstByte: UInt8) -> Bool {
        HEVCNALUnitType.type(headerByte: firstByte) == HEVCNALUnitType.sequenceParameterSet
    }

    /// Writes the header of an aggregation packet, type 48. Parameter sets have layer 0 and temporal sub-layer 1 (RFC
    /// 7798 §4.4.2).
    static func writeAggregationHeader(into buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(UInt8(48 << 1), UInt8(1))
    }

    /// Writes the header of a fragmentation unit, type 49, with layer and sub-layer of its NAL unit (RFC 7798
    /// §4.4.3).
    static func writeFragmentHeader(
        of header: (UInt8, UInt8), isStart: Bool, isEnd: Bool, into buffer: inout ByteBuffer
    ) {
        buffer.writeMultipleIntegers(
            header.0 & 0x81 | 49 << 1, header.1,
            (isStart ? 0x80 : 0) | (isEnd ? 0x40 : 0) | HEVCNALUnitType.type(headerByte: header.0))
    }
}
