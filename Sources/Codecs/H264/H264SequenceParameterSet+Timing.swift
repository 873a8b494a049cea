import MediaCore

extension H264SequenceParameterSet {
    /// A sequence parameter set that tells another frame duration in its timing information (ITU-T H.264 §E.1.1), and
    /// says the same otherwise.
    ///
    /// - Parameters:
    ///   - nalUnit: the NAL unit, header byte and emulation prevention bytes included.
    ///   - milliseconds: the duration of a frame.
    /// - Returns: the new NAL unit; `nil` if the given one cannot be read to its end.
    package static func retimed(_ nalUnit: [UInt8], frameMilliseconds milliseconds: UInt32) -> [UInt8]? {
        guard nalUnit.count <= maximumByteCount, let header = nalUnit.first,
            H264NALUnitType(headerByte: header) == .sequenceParameterSet
        else { return nil }
        let payload = rawByteSequencePayload(of: nalUnit, headerByteCount: 1)
        // The payload ends with a one bit, and zero bits up to the end of the byte.
        guard let last = payload.lastIndex(where: { $0 != 0 }) else { return nil }
        let end = last * 8 + 8 - payload[last].trailingZeroBitCount
        var reader = BitReader(payload)
        var writer = BitWriter()
        do {
            _ = try parseBeforeVideoUsabilityInformation(&reader)
            try writer.copy(0..<reader.bitPosition, of: payload)
            writer.write(1, bitCount: 1)  // vui_parameters_present_flag
            if try reader.readBit() {
                let start = reader.bitPosition
                let vui = try H264VideoUsabilityInformation(parsing: &reader)
                guard vui.timingBits.upperBound < end else { return nil }
                try writer.copy(start..<vui.timingBits.lowerBound, of: payload)
                writer.writeTiming(milliseconds: milliseconds)
                try writer.copy(vui.timingBits.upperBound..<end, of: payload)
            } else {
                guard reader.bitPosition < end else { return nil }
                writer.write(0, bitCount: 4)  // aspect ratio, overscan, video signal, chroma location
                writer.writeTiming(milliseconds: milliseconds)
                writer.write(0, bitCount: 4)  // reference decoders, pic_struct_present_flag, bitstream restriction
                try writer.copy(reader.bitPosition..<end, of: payload)
            }
        } catch {
            return nil
        }
        return Codecs.nalUnit(header: [header], payload: writer.bytes)
    }
}

extension BitWriter {
    /// num_units_in_tick counts fields, two of which are a frame.
    fileprivate mutating func writeTiming(milliseconds: UInt32) {
        write(1, bitCount: 1)  // timing_info_present_flag
        write(milliseconds, bitCount: 32)
        write(2_000, bitCount: 32)
        write(0, bitCount: 1)  // fixed_frame_rate_flag
    }
}
