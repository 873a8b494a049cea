/// Values of obu_type (AV1 bitstream specification §6.2.2) that matter to packaging.
package enum AV1OBUType: Sendable {
    package static let sequenceHeader: UInt8 = 1
    package static let temporalDelimiter: UInt8 = 2
    package static let frameHeader: UInt8 = 3
    package static let tileGroup: UInt8 = 4
    package static let frame: UInt8 = 6
    package static let tileList: UInt8 = 8
    package static let padding: UInt8 = 15

    /// Extracts obu_type.
    ///
    /// - Parameter headerByte: the first byte of an OBU.
    package static func type(headerByte: UInt8) -> UInt8 { headerByte >> 3 & 0x0F }
}
