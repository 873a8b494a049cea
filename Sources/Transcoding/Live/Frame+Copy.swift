import CLibAV
import LibAV

extension Frame {
    /// Returns a video frame with the same content in buffers of its own, which may be changed.
    ///
    /// - Parameter source: A planar 8-bit 4:2:0 frame with even sides.
    static func copy(of source: Frame) throws(LibAVError) -> Frame {
        let copy = try Frame.video(width: source.width, height: source.height, format: source.pixelFormat)
        guard libav.av_frame_copy_props(copy.pointer, source.pointer) >= 0 else {
            throw LibAVError(.outOfMemory, file: nil, "ran out of memory for a frame")
        }
        let (from, to) = (source.pointer.pointee, copy.pointer.pointee)
        let planes = [
            (from.data.0, from.linesize.0, to.data.0, to.linesize.0, 1),
            (from.data.1, from.linesize.1, to.data.1, to.linesize.1, 2),
            (from.data.2, from.linesize.2, to.data.2, to.linesize.2, 2),
        ]
        for (source, sourceStride, target, targetStride, divisor) in planes {
            guard let source, let target else { continue }
            for row in 0..<copy.height / divisor {
                (target + row * Int(targetStride)).update(
                    from: source + row * Int(sourceStride), count: copy.width / divisor)
            }
        }
        return copy
    }
}
