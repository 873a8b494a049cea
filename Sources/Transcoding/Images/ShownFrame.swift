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
    private static let lumaWidth = 320
    private static let lumaHeight = 180

    init(_ input: InputFile, _ info: StreamInfo) {
        self.input = input
        stream = input.stream(info)
        rotation = FrameRotation(of: stream)
        scaler = Scaler(file: input.name)
        lumaScaler = Scaler(file: input.name)
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
