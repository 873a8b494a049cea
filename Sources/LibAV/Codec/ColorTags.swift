package import CLibAV

/// The colour of a video, in the values of ITU-T H.273.
package struct ColorTags: Sendable, Hashable {
    /// The colour primaries.
    package var primaries: AVColorPrimaries
    /// The transfer characteristics.
    package var transfer: AVColorTransferCharacteristic
    /// The matrix coefficients.
    package var matrix: AVColorSpace

    /// Standard dynamic range, as every player and screen has it.
    package static let standard = ColorTags(
        primaries: AVCOL_PRI_BT709, transfer: AVCOL_TRC_BT709, matrix: AVCOL_SPC_BT709)

    private init(
        primaries: AVColorPrimaries, transfer: AVColorTransferCharacteristic, matrix: AVColorSpace
    ) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
    }

    /// Reads the tags of a stream.
    package init(_ parameters: AVCodecParameters) {
        self.init(
            primaries: parameters.color_primaries, transfer: parameters.color_trc, matrix: parameters.color_space)
    }

    /// Reads the tags of a frame.
    ///
    /// - Parameters:
    ///   - frame: the frame.
    ///   - stream: the tags of its stream, for what the frame does not specify.
    package init(_ frame: Frame, of stream: ColorTags? = nil) {
        let values = frame.pointer.pointee
        self.init(primaries: values.color_primaries, transfer: values.color_trc, matrix: values.colorspace)
        guard let stream, transfer == AVCOL_TRC_UNSPECIFIED else { return }
        transfer = stream.transfer
        if primaries == AVCOL_PRI_UNSPECIFIED { primaries = stream.primaries }
        if matrix == AVCOL_SPC_UNSPECIFIED { matrix = stream.matrix }
    }

    /// True for PQ and HLG (ITU-R BT.2100), which screens without HDR show pale and grey.
    package var isHighDynamicRange: Bool { transfer == AVCOL_TRC_SMPTE2084 || transfer == AVCOL_TRC_ARIB_STD_B67 }

    /// The tags of the 8-bit 4:2:0 frames that ``Scaler`` makes of these.
    package var scaled: ColorTags {
        if isHighDynamicRange { return .standard }
        var tags = self
        if matrix == AVCOL_SPC_RGB { tags.matrix = AVCOL_SPC_SMPTE170M }
        return tags
    }

    /// Sets the tags of an encoder's stream.
    package func apply(to context: UnsafeMutablePointer<AVCodecContext>) {
        context.pointee.color_primaries = primaries
        context.pointee.color_trc = transfer
        context.pointee.colorspace = matrix
    }
}
