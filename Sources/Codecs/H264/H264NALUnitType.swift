/// Values of nal_unit_type (ITU-T H.264 table 7-1) that matter to packaging.
package enum H264NALUnitType: UInt8, Sendable {
    case nonIDRSlice = 1
    case dataPartitionA = 2
    case dataPartitionB = 3
    case dataPartitionC = 4
    case idrSlice = 5
    case supplementalEnhancementInformation = 6
    case sequenceParameterSet = 7
    case pictureParameterSet = 8
    case accessUnitDelimiter = 9
    case endOfSequence = 10
    case endOfStream = 11
    case fillerData = 12

    /// - Parameter headerByte: a NAL unit's first byte. `nil` for reserved and unspecified types.
    package init?(headerByte: UInt8) { self.init(rawValue: headerByte & 0x1F) }

    /// Whether the NAL unit holds coded picture data.
    package var isSlice: Bool { (1...5).contains(rawValue) }
}
