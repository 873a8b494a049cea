import CLibAV

/// The size of a video frame on a screen, in square pixels.
package struct ShownSize: Codable, Sendable, Hashable {
    /// The width in pixels.
    package var width: Int
    /// The height in pixels.
    package var height: Int

    /// Creates a size in pixels.
    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    init?(_ stream: UnsafeMutablePointer<AVStream>, of context: UnsafeMutablePointer<AVFormatContext>) {
        let parameters = stream.pointee.codecpar.pointee
        guard parameters.width > 0, parameters.height > 0 else { return nil }
        // Extreme ratios come from damaged files.
        let told = libav.av_guess_sample_aspect_ratio(context, stream, nil).positive?.value ?? 1
        let ratio = (0.1...10).contains(told) ? told : 1
        let width = (Double(parameters.width) * min(1, ratio)).rounded()
        let height = (Double(parameters.height) / max(1, ratio)).rounded()
        let swapsSides = FrameRotation(of: stream).swapsSides
        self.init(width: Int(swapsSides ? height : width), height: Int(swapsSides ? width : height))
    }
}
