import CLibAV

/// Puts a video stream's timestamps onto exact multiples of its picture duration where its container has rounded them:
/// Matroska's milliseconds make 33, 34, 33 of 30000/1001 pictures a second. Times that lie off the grid by more than
/// one tick of the source, as with a variable frame rate, stay as they are.
struct FrameGrid {
    /// Of the times it gives.
    let timeBase: AVRational
    /// Ticks between two pictures of the grid.
    let pictureDuration: Int64
    private let source: AVRational
    private let pictureTimeBase: AVRational?
    private var anchor: Int64?

    /// Ticks a second, at least: finer than any clock that looks at pictures.
    private static let minimumTimescale: Int64 = 10_000

    init(source: AVRational, frameRate: AVRational?) {
        self.source = source
        guard let rate = frameRate, (1...300).contains(rate.value), rate.num <= 1_000_000, rate.den <= 100_000 else {
            timeBase = AVRational(num: 1, den: 90_000)
            pictureDuration = 3600
            pictureTimeBase = nil
            return
        }
        let factor = max(1, (Self.minimumTimescale + Int64(rate.num) - 1) / Int64(rate.num))
        timeBase = AVRational(num: 1, den: Int32(clamping: Int64(rate.num) * factor))
        pictureDuration = Int64(rate.den) * factor
        pictureTimeBase = rate.inverse
    }

    /// - Parameter time: In the source's time base.
    mutating func time(of time: Int64) -> Int64 {
        guard let pictureTimeBase else { return rescale(time, from: source, to: timeBase) }
        let anchor = anchor ?? time
        self.anchor = anchor
        let origin = rescale(anchor, from: source, to: timeBase)
        let exact = rescale(time, from: source, to: timeBase)
        // A damaged file's times may be anything; what wraps here lies off the grid.
        let onGrid = origin &+ rescale(time &- anchor, from: source, to: pictureTimeBase) &* pictureDuration
        let tick = rescale(1, from: source, to: timeBase) &+ 1
        return (onGrid &- exact).magnitude <= min(tick, pictureDuration / 4).magnitude ? onGrid : exact
    }
}
