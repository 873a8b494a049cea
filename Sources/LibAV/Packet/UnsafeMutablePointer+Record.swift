import CLibAV

extension UnsafeMutablePointer<AVCodecParameters> {
    /// The record with the parameter sets, in the form of the container; empty if there is none.
    package var record: [UInt8] {
        guard let bytes = pointee.extradata, pointee.extradata_size > 0 else { return [] }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(pointee.extradata_size)))
    }

    /// Sets the record from which a muxer writes parameter sets and ADTS headers.
    ///
    /// - Parameter record: the content of a box such as `avcC` or `av1C`.
    /// - Returns: `false` if there is no memory for it.
    package func setRecord(_ record: [UInt8]) -> Bool {
        guard let copy = libav.av_mallocz(record.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else { return false }
        copy.copyMemory(from: record, byteCount: record.count)
        libav.av_free(pointee.extradata)
        pointee.extradata = copy.assumingMemoryBound(to: UInt8.self)
        pointee.extradata_size = Int32(clamping: record.count)
        return true
    }
}
