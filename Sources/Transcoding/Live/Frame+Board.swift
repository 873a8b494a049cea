import BoardDrawing
import CLibAV
import LibAV

extension Frame {
    /// Lays a board over the frame, which must have buffers of its own; all outside the board's rectangle stays.
    func draw(_ board: BoardImage) {
        guard pixelFormat == AV_PIX_FMT_YUV420P, board.x + board.width <= width, board.y + board.height <= height else {
            return
        }
        let frame = pointer.pointee
        let planes = [
            (frame.data.0, Int(frame.linesize.0), board.luma, 1),
            (frame.data.1, Int(frame.linesize.1), board.blueChroma, 2),
            (frame.data.2, Int(frame.linesize.2), board.redChroma, 2),
        ]
        for (data, stride, plane, divisor) in planes {
            guard let data else { continue }
            plane.blend(
                onto: data + board.y / divisor * stride + board.x / divisor, stride: stride,
                width: board.width / divisor)
        }
    }
}
