import CLibAV
import Synchronization

/// Converts HDR frames (ITU-R BT.2100, PQ or HLG) to 8-bit BT.709 for standard screens: what is darker than a
/// white sheet stays as bright as it is, highlights are compressed.
///
/// The conversion is computed once for the nodes of a table; frames are interpolated between them.
final class ToneMapping: Sendable {
    /// The meaning of the code values of a video.
    struct Source: Hashable {
        var tags: ColorTags
        var isFullRange: Bool
    }

    private let luma: [UInt16]
    private let chroma: [UInt16]

    private static let made = Mutex<[Source: ToneMapping]>([:])

    /// Returns the conversion for a video, which all its scalers share.
    static func shared(for source: Source) -> ToneMapping {
        // The lock is held meanwhile: a second thread needs the same table.
        made.withLock { made in
            if let known = made[source] { return known }
            let mapping = ToneMapping(ToneCurve(source))
            made[source] = mapping
            return mapping
        }
    }

    private init(_ curve: ToneCurve) {
        let (lumaCount, chromaCount) = (Int(ANTENA_COLOR_LUMA_NODES), Int(ANTENA_COLOR_CHROMA_NODES))
        var luma: [UInt16] = []
        var chroma: [UInt16] = []
        luma.reserveCapacity(chromaCount * chromaCount * lumaCount)
        chroma.reserveCapacity(chromaCount * chromaCount * lumaCount * 2)
        func node(_ value: Double) -> UInt16 { UInt16(min(max(0, value), 255) * 128 + 0.5) }
        let (lumaStep, chromaStep) = (1_024 / (lumaCount - 1), 1_024 / (chromaCount - 1))
        for cb in 0..<chromaCount {
            for cr in 0..<chromaCount {
                for y in 0..<lumaCount {
                    let color = curve.standard(
                        y: Double(y * lumaStep), cb: Double(cb * chromaStep), cr: Double(cr * chromaStep))
                    luma.append(node(color.y))
                    chroma.append(node(color.cb))
                    chroma.append(node(color.cr))
                }
            }
        }
        (self.luma, self.chroma) = (luma, chroma)
    }

    /// Converts a frame.
    ///
    /// - Parameter source: a planar 4:2:0 frame of ten bits.
    /// - Returns: an 8-bit 4:2:0 frame of the same size, tagged as BT.709 and without HDR metadata.
    func apply(to source: Frame) throws(LibAVError) -> Frame {
        let target = try Frame.video(width: source.width, height: source.height, format: AV_PIX_FMT_YUV420P)
        guard libav.av_frame_copy_props(target.pointer, source.pointer) >= 0 else {
            throw LibAVError(.outOfMemory, file: nil, "ran out of memory while converting from HDR")
        }
        for type in [
            AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL,
            AV_FRAME_DATA_DYNAMIC_HDR_PLUS, AV_FRAME_DATA_DOVI_RPU_BUFFER, AV_FRAME_DATA_DOVI_METADATA,
        ] {
            libav.av_frame_remove_side_data(target.pointer, type)
        }
        target.pointer.pointee.color_primaries = ColorTags.standard.primaries
        target.pointer.pointee.color_trc = ColorTags.standard.transfer
        target.pointer.pointee.colorspace = ColorTags.standard.matrix
        target.pointer.pointee.color_range = AVCOL_RANGE_MPEG
        luma.withUnsafeBufferPointer { luma in
            chroma.withUnsafeBufferPointer { chroma in
                antena_map_colors(luma.baseAddress, chroma.baseAddress, source.pointer, target.pointer)
            }
        }
        return target
    }
}
