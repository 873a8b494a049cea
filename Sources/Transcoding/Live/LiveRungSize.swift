import LibAV

/// The size of a quality's pictures for one source.
struct LiveRungSize: Hashable {
    /// The sides of the upright picture with square pixels, in pixels; even.
    var width: Int
    var height: Int

    /// Ratios of pixels beyond these come from damaged streams.
    private static let pixelRatios = 0.1...10.0
    /// The shortest side that encoders take.
    private static let minimumSide = 16

    /// Fits a picture into the box of a quality, without enlarging it.
    ///
    /// - Parameters:
    ///   - rung: the quality.
    ///   - frameWidth: the width of the decoded picture; `frameHeight` is its height.
    ///   - pixelRatio: the width of its pixels, in heights of a pixel.
    ///   - rotation: how the picture is turned to be upright.
    init(
        _ rung: LiveLadderRequest.Rung, frameWidth: Int, frameHeight: Int, pixelRatio: Double, rotation: FrameRotation
    ) {
        let ratio = min(max(pixelRatio, Self.pixelRatios.lowerBound), Self.pixelRatios.upperBound)
        var shown = (width: Double(frameWidth) * ratio, height: Double(frameHeight))
        if rotation.swapsSides { swap(&shown.width, &shown.height) }
        let isPortrait = shown.height > shown.width
        let box = isPortrait ? (rung.height, rung.width) : (rung.width, rung.height)
        let scale = min(1, Double(box.0) / max(1, shown.width), Double(box.1) / max(1, shown.height))
        func even(_ side: Double) -> Int { max(Self.minimumSide, Int((side * scale / 2).rounded()) * 2) }
        (width, height) = (even(shown.width), even(shown.height))
    }
}
