import CLibAV
import LibAV

/// Converts frames to their displayed form: upright, with square pixels. Belongs to one thread.
final class ShownFrame {
    /// A size in pixels.
    struct Size: Hashable {
        var width: Int
        var height: Int
    }

    private let input: InputFile
    private let stream: UnsafeMutablePointer<AVStream>
    private let rotation: FrameRotation
    private let scaler: Scaler
    private let lumaScaler: Scaler

    /// The accepted pixel aspect ratios; more extreme ones come from damaged files.
    private static let pixelRatios = 0.1...10.0
    /// Limit of the longer side of an image from which a square is cut, in shorter sides.
    private static let maximumSideRatio = 20
    private static let lumaWidth = 320
    private static let lumaHeight = 180

    /// - Parameters:
    ///   - input: the file of the frames.
    ///   - info: the stream of the frames.
    ///   - rotation: the rotation that the frame itself asks for; `nil` for that of the stream.
    init(_ input: InputFile, _ info: StreamInfo, rotation: FrameRotation? = nil) {
        self.input = input
        stream = input.stream(info)
        self.rotation = rotation ?? FrameRotation(of: stream)
        let tags = ColorTags(stream.pointee.codecpar.pointee)
        scaler = Scaler(file: input.name, streamTags: tags)
        lumaScaler = Scaler(file: input.name, streamTags: tags)
    }

    /// Returns the largest size within the limits, with even sides; never larger than the source.
    func size(of frame: Frame, maximumWidth: Int, maximumHeight: Int) -> Size {
        let stored = storedSize(of: frame, maximumWidth: maximumWidth, maximumHeight: maximumHeight)
        return rotation.swapsSides ? Size(width: stored.height, height: stored.width) : stored
    }

    /// Scales and rotates a frame.
    ///
    /// - Parameter size: The size of the result, from ``size(of:maximumWidth:maximumHeight:)``.
    func scaled(_ frame: Frame, to size: Size) throws(LibAVError) -> Frame {
        let (width, height) = rotation.swapsSides ? (size.height, size.width) : (size.width, size.height)
        return try rotation.apply(
            to: try scaler.scale(frame, width: width, height: height, format: AV_PIX_FMT_YUVJ420P))
    }

    /// Scales and rotates a frame so that its shorter side has a length, and returns the square in its middle: a frame
    /// of its own, without the metadata of the source.
    ///
    /// - Parameter side: the width and height of the result, even.
    func middleSquare(of frame: Frame, side: Int) throws(LibAVError) -> Frame {
        let limit = Self.maximumSideRatio * side
        let stored = storedSize(of: frame, maximumWidth: .max, maximumHeight: .max)
        let scale = Double(side) / Double(min(stored.width, stored.height))
        func length(_ original: Int) -> Int { max(side, Int(Double(original) * scale) / 2 * 2) }
        let (width, height) = (length(stored.width), length(stored.height))
        guard max(width, height) <= limit else {
            throw LibAVError(
                .damaged, file: input.name, "is more than \(Self.maximumSideRatio) times as long as it is wide")
        }
        let scaled = try rotation.apply(
            to: try scaler.scale(frame, width: width, height: height, format: AV_PIX_FMT_YUVJ420P))
        let square = try Frame.video(width: side, height: side, format: AV_PIX_FMT_YUVJ420P)
        square.pointer.pointee.color_range = AVCOL_RANGE_JPEG
        let (left, top) = ((scaled.width - side) / 4 * 2, (scaled.height - side) / 4 * 2)
        let (from, to) = (scaled.pointer.pointee, square.pointer.pointee)
        copy(from.data.0, from.linesize.0, left, top, to: to.data.0, to.linesize.0, side: side)
        copy(from.data.1, from.linesize.1, left / 2, top / 2, to: to.data.1, to.linesize.1, side: side / 2)
        copy(from.data.2, from.linesize.2, left / 2, top / 2, to: to.data.2, to.linesize.2, side: side / 2)
        return square
    }

    /// Copies a square of one plane.
    private func copy(
        _ source: UnsafeMutablePointer<UInt8>?, _ sourceStride: Int32, _ left: Int, _ top: Int,
        to target: UnsafeMutablePointer<UInt8>?, _ targetStride: Int32, side: Int
    ) {
        guard let source, let target else { return }
        for row in 0..<side {
            (target + row * Int(targetStride)).update(
                from: source + (top + row) * Int(sourceStride) + left, count: side)
        }
    }

    /// Returns a frame's brightness at low resolution, before rotation.
    func luma(of frame: Frame) throws(LibAVError) -> LumaImage {
        let small = try lumaScaler.scale(
            frame, width: Self.lumaWidth, height: Self.lumaHeight, format: AV_PIX_FMT_GRAY8)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(Self.lumaWidth * Self.lumaHeight)
        let stride = Int(small.pointer.pointee.linesize.0)
        if let luma = small.pointer.pointee.data.0 {
            for row in 0..<Self.lumaHeight {
                pixels.append(contentsOf: UnsafeBufferPointer(start: luma + row * stride, count: Self.lumaWidth))
            }
        } else {
            pixels = [UInt8](repeating: 0, count: Self.lumaWidth * Self.lumaHeight)
        }
        return LumaImage(width: Self.lumaWidth, height: Self.lumaHeight, pixels: pixels)
    }

    /// Encodes a frame as JPEG.
    ///
    /// - Parameter frame: A frame from ``scaled(_:to:)``.
    /// - Returns: The bytes of a JPEG file.
    static func jpeg(_ frame: Frame, file: String) throws(LibAVError) -> [UInt8] {
        try frame.jpeg(file: file)
    }

    /// The result's size before rotation.
    private func storedSize(of frame: Frame, maximumWidth: Int, maximumHeight: Int) -> Size {
        let ratio = libav.av_guess_sample_aspect_ratio(input.context, stream, frame.pointer).positive?.value ?? 1
        let width = Double(frame.width) * min(max(ratio, Self.pixelRatios.lowerBound), Self.pixelRatios.upperBound)
        let height = Double(frame.height)
        let (shownWidth, shownHeight) = rotation.swapsSides ? (height, width) : (width, height)
        let scale = min(
            1, Double(max(2, maximumWidth)) / max(1, shownWidth), Double(max(2, maximumHeight)) / max(1, shownHeight))
        return Size(width: max(2, Int(width * scale) / 2 * 2), height: max(2, Int(height * scale) / 2 * 2))
    }
}
