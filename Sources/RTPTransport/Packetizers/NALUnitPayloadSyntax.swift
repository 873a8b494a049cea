import NIOCore

/// The differences between RFC 6184 and RFC 7798 in the packetization of NAL units: single, aggregated, or in
/// fragments.
protocol NALUnitPayloadSyntax: Sendable {
    /// Size of a NAL unit header in bytes.
    static var headerByteCount: Int { get }
    /// Whether a header is that of a NAL unit; higher types denote packet structures.
    static func isNALUnit(firstByte: UInt8) -> Bool
    static func isParameterSet(firstByte: UInt8) -> Bool
    /// Writes the header before the units of an aggregation packet.
    static func writeAggregationHeader(into buffer: inout ByteBuffer)
    static var aggregationHeaderByteCount: Int { get }
    /// Writes the header before a fragment.
    static func writeFragmentHeader(
        of header: (UInt8, UInt8), isStart: Bool, isEnd: Bool, into buffer: inout ByteBuffer)
    static var fragmentHeaderByteCount: Int { get }
}
