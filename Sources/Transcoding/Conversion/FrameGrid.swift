import CLibAV
import LibAV

/// Aligns a video stream's timestamps to exact multiples of its frame duration if its container has rounded them:
/// Matroska's milliseconds turn 30000/1001 frames per second into steps of 33, 34 and 33. Times that lie off the grid
/// by more than one tick of the source, as with a variable frame rate, stay as they are.
struct FrameGrid {
    /// The unit of the aligned times.
    let timeBase: AVRational
    /// The number of ticks between two frames of the grid.
    let frameDuration: Int64
    private let source: AVRational
    private let frameTimeBase: AVRational?
    private var anchor: Int64?

    /// The smallest timescale in ticks per second: finer than any video clock.
    private static let minimumTimescale: Int64 = 10_000

    /// Creates a grid; without a usable frame rate it converts times to 90 kHz and leaves them unaligned.
    init(source: AVRational, frameRate: AVRational?) {
        self.source = source
        guard let rate = frameRate, (1...300).contains(rate.value), rate.num <= 1_000_000, rate.den <= 100_000 else {
            timeBase = AVRational(num: 1, den: 90_000)
            frameDuration = 3600
            frameTimeBase = nil
            return
        }
        let factor = max(1, (Self.minimumTimescale + Int64(rate.num) - 1) / Int64(rate.num))
        timeBase = AVRational(num: 1, den: Int32(clamping: Int64(rate.num) * factor))
        frameDuration = Int64(rate.den) * factor
        frameTimeBase = rate.inverse
    }

    /// Returns a timestamp on the grid, in ``timeBase``.
    ///
    /// - Parameter time: The timestamp in the source's time base.
    mutating func time(of time: Int64) -> Int64 {
        guard let frameTimeBase else { return rescale(time, from: source, to: timeBase) }
        let anchor = anchor ?? time
        self.anchor = anchor
        let origin = rescale(anchor, from: source, to: timeBase)
        let exact = rescale(time, from: source, to: timeBase)
        // The arithmetic wraps because damaged files can hold any time; wrapped results lie off the grid.
        let onGrid = origin &+ rescale(time &- anchor, from: source, to: frameTimeBase) &* frameDuration
        let tick = rescale(1, from: source, to: timeBase) &+ 1
        return (onGrid &- exact).magnitude <= min(tick, frameDuration / 4).magnitude ? onGrid : exact
    }
}
