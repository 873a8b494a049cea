/// Codes of close frames (RFC 6455 §7.4).
package enum IngestCloseCode {
    package static let normal: UInt16 = 1_000
    package static let goingAway: UInt16 = 1_001
    package static let unsupportedData: UInt16 = 1_003
    package static let policy: UInt16 = 1_008
    package static let tooLarge: UInt16 = 1_009
    /// The login or the channel does not allow it; trying again is of no use.
    package static let refused: UInt16 = 4_403
    /// The channel has another publisher; trying again may be of use.
    package static let busy: UInt16 = 4_409
}
