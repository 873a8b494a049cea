import CLibAV
import LibAV

extension Frame {
    /// The progressive picture of a decoded frame: the frame itself, or of an interlaced one the field that is
    /// presented first, as a frame of half the height that shares this frame's memory. The two fields were captured at
    /// different times, and a frame of both shows combs wherever something moves.
    func progressive() throws(LibAVError) -> Frame {
        let field = try reference()
        guard pointer.pointee.interlaced_frame != 0, height >= 4, field.halveLines() else { return field }
        return field
    }

    /// Keeps only the lines of the first field; returns false for layouts other than planes of whole lines.
    private func halveLines() -> Bool {
        guard let descriptor = libav.av_pix_fmt_desc_get(pixelFormat),
            descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_PAL) == 0,
            height % (4 << Int(descriptor.pointee.log2_chroma_h)) == 0
        else { return false }
        let isBottomFirst = pointer.pointee.top_field_first == 0
        let data = [
            \AVFrame.data.0, \AVFrame.data.1, \AVFrame.data.2, \AVFrame.data.3,
        ]
        let strides = [
            \AVFrame.linesize.0, \AVFrame.linesize.1, \AVFrame.linesize.2, \AVFrame.linesize.3,
        ]
        for (plane, stride) in zip(data, strides) {
            guard let start = pointer.pointee[keyPath: plane] else { continue }
            if isBottomFirst { pointer.pointee[keyPath: plane] = start + Int(pointer.pointee[keyPath: stride]) }
            pointer.pointee[keyPath: stride] *= 2
        }
        pointer.pointee.height /= 2
        pointer.pointee.interlaced_frame = 0
        return true
    }
}
