import CLibAV

extension FrameRotation {
    /// Reads the rotation that a camera has noted in a photo (Exif 2.3 §4.6.4, Orientation). A mirrored image, which no
    /// camera makes, is rotated only.
    ///
    /// - Returns: `nil` if the photo says nothing.
    package init?(exifOrientationOf frame: Frame) {
        let text = InputFile.value(of: "Orientation", in: frame.pointer.pointee.metadata)
        switch text.flatMap({ Int($0.filter { $0 != " " }) }) {
        case 1, 2: self = .none
        case 3, 4: self = .half
        case 5, 6: self = .clockwise90
        case 7, 8: self = .clockwise270
        default: return nil
        }
    }
}
