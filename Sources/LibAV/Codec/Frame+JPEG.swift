import CLibAV

extension Frame {
    /// Encodes this full-range 4:2:0 frame as a JPEG file.
    ///
    /// - Parameter file: The file to name in errors.
    package func jpeg(file: String) throws(LibAVError) -> [UInt8] {
        let encoder = try Encoder.jpeg(width: width, height: height, file: file)
        presentationTime = 0
        pointer.pointee.quality = encoder.context.pointee.global_quality
        pointer.pointee.pict_type = AV_PICTURE_TYPE_NONE
        var bytes: [UInt8] = []
        try encoder.encode(self) { packet in bytes.append(contentsOf: packet.bytes) }
        try encoder.encode(nil) { packet in bytes.append(contentsOf: packet.bytes) }
        guard !bytes.isEmpty else { throw LibAVError(.damaged, file: file, "could not be encoded as JPEG") }
        return bytes
    }
}
