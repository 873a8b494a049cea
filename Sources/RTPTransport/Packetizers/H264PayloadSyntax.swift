import Codecs
import NIOCore

/// Payload syntax of H.264 in packetization mode 1 (RFC 6184): single NAL unit packets, STAP-A, FU-A.
enum H264PayloadSyntax: NALUnitPayloadSyntax {
    static let headerByteCount = 1
    static let aggregationHeaderByteCount = 1
    static let fragmentHeaderByteCount = 2

    /// Types from 24 denote packet structures; 0 is undefined (RFC 6184 §5.2).
    static func isNALUnit(firstByte: UInt8) -> Bool { (1...23).contains(firstByte & 0x1F) }

    static func isParameterSet(firstByte: UInt8) -> Bool {
        H264NALUnitType(headerByte: firstByte) == .sequenceParameterSet
    }

    /// Writes the header of STAP-A, type 24, with the highest NRI because it holds parameter sets (RFC 6184 §5.7.1).
    static func writeAggregationHeader(into buffer: inout ByteBuffer) { buffer.writeInteger(UInt8(0x60 | 24)) }

    /// Writes the header of FU-A, type 28 (RFC 6184 §5.8).
    static func writeFragmentHeader(
        of header: (UInt8, UInt8), isStart: Bool, isEnd: Bool, into buffer: inout ByteBuffer
    ) {
        buffer.writeMultipleIntegers(
            header.0 & 0xE0 | 28, (isStart ? 0x80 : 0) | (isEnd ? 0x40 : 0) | header.0 & 0x1F)
    }
}
