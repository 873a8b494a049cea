/// Values and ranges of nal_unit_type (ITU-T H.265 table 7-1) that matter to packaging.
package enum HEVCNALUnitType: Sendable {
    /// RASL pictures, which refer to pictures before the random access point that they follow.
    package static let skippedLeadingPictures: ClosedRange<UInt8> = 8...9
    /// IRAP pictures, 16 to 23: BLA, IDR and CRA.
    package static let randomAccessPoints: ClosedRange<UInt8> = 16...23
    /// BLA_N_LP: a random access point that is never followed by leading pictures, and before which the decoder forgets
    /// everything.
    package static let brokenLinkWithoutLeadingPictures: UInt8 = 18
    /// IDR_W_RADL and IDR_N_LP, whose slices refer to nothing.
    static let instantaneousRefreshes: ClosedRange<UInt8> = 19...20
    /// CRA_NUT: a random access point whose pictures' numbers continue those before it.
    package static let cleanRandomAccess: UInt8 = 21
    /// Video, sequence and picture parameter sets.
    package static let parameterSets: ClosedRange<UInt8> = 32...34
    package static let videoParameterSet: UInt8 = 32
    package static let sequenceParameterSet: UInt8 = 33
    package static let pictureParameterSet: UInt8 = 34
    package static let accessUnitDelimiter: UInt8 = 35
    package static let endOfSequence: UInt8 = 36
    package static let fillerData: UInt8 = 38
    package static let prefixSEI: UInt8 = 39

    /// Extracts nal_unit_type.
    ///
    /// - Parameter headerByte: the first of the header's two bytes.
    package static func type(headerByte: UInt8) -> UInt8 { headerByte >> 1 & 0x3F }
}
