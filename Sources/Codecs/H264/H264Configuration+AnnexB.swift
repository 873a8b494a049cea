import MediaCore

extension H264Configuration {
    /// Creates a configuration from parameter sets in the byte stream format.
    ///
    /// - Parameter header: The parameter sets, each after a start code.
    package init(byteStream header: UnsafeRawBufferPointer) throws(CodecError) {
        let units = AnnexB.nalUnits(in: header).map { Array(header[$0]) }
        func sets(_ type: H264NALUnitType) -> [[UInt8]] {
            units.filter { $0.first.flatMap(H264NALUnitType.init(headerByte:)) == type }
        }
        try self.init(
            sequenceParameterSets: sets(.sequenceParameterSet), pictureParameterSets: sets(.pictureParameterSet))
    }
}
