/// The fields of decoder_model_info and of the operating points (AV1 bitstream specification §5.5.1, §5.5.4) on which
/// later fields depend.
struct AV1DecoderModel: Sendable, Hashable {
    /// Size in bits of the delays of an operating point.
    var bufferDelayBitCount: Int
    /// Size in bits of buffer_removal_time.
    var removalTimeBitCount = 0
    /// Size in bits of frame_presentation_time; `nil` if frames have none, because all take equally long.
    var presentationTimeBitCount: Int?
    /// operating_point_idc of the operating points that have a decoder model: the layers that belong to each.
    var operatingPoints: [UInt16] = []

    /// The number of operating points with a removal time in the header of a frame.
    ///
    /// - Parameter layer: the layers of the frame.
    func removalTimeCount(of layer: AV1Layer) -> Int {
        operatingPoints.count { layers in
            layers == 0 || layers >> layer.temporal & 1 == 1 && layers >> (layer.spatial + 8) & 1 == 1
        }
    }
}
