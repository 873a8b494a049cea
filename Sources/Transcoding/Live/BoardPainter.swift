import BoardDrawing
import CLibAV
import LibAV
import TableDocuments

/// Draws boards onto the frames of one quality. An image is kept until another board is shown. Belongs to one thread.
struct BoardPainter {
    private struct Key: Hashable {
        var text: BoardText
        var width: Int
        var height: Int
        var matrix: BoardImage.Matrix
    }

    private var drawn: (key: Key, image: BoardImage?)?
    /// Why no boards are drawn any more; `nil` while they are.
    private(set) var problem: String?

    /// Has fonts found, so that the first board delays no frame.
    mutating func warmUp() {
        do throws(PDFError) { try BoardCanvas.warmUp() } catch { problem = error.reason }
    }

    /// Draws a board onto a frame with buffers of its own.
    ///
    /// - Parameter matrix: the matrix coefficients of the frame.
    mutating func draw(_ text: BoardText, onto frame: Frame, matrix: AVColorSpace) {
        guard problem == nil else { return }
        // Video that does not tell has the matrix of its size.
        let isSmall = matrix == AVCOL_SPC_UNSPECIFIED && min(frame.width, frame.height) < 720
        let key = Key(
            text: text, width: frame.width, height: frame.height,
            matrix: isSmall || matrix == AVCOL_SPC_SMPTE170M || matrix == AVCOL_SPC_BT470BG ? .bt601 : .bt709)
        if drawn?.key != key {
            do throws(PDFError) {
                let canvas = try BoardCanvas(frameWidth: key.width, frameHeight: key.height)
                drawn = (key, try canvas.image(key.text, matrix: key.matrix))
            } catch {
                problem = error.reason
                return
            }
        }
        if let image = drawn?.image { frame.draw(image) }
    }
}
