/// A measure of how suitable a frame is as a poster.
package struct PosterScore: Sendable, Comparable {
    /// The score, 0 to 1.
    package let value: Double
    /// Ranks two frames of which neither is suitable.
    private let variance: Double

    /// The score from which on another frame is hardly better.
    package static let good = PosterScore(value: 0.8, variance: 0)

    private init(value: Double, variance: Double) {
        self.value = value
        self.variance = variance
    }

    /// Rates a frame.
    ///
    /// - Parameters:
    ///   - image: The frame to rate.
    ///   - earlier: A frame shortly before, to detect cuts and fades; `nil` if there is none.
    package init(_ image: LumaImage, earlier: LumaImage? = nil) {
        let (mean, variance, detail) = (image.mean, image.variance, image.detail)
        // 16 is video black, 235 video white.
        let exposure = Self.ramp(mean, from: 24, to: 56) * (1 - Self.ramp(mean, from: 215, to: 240))
        let contrast = Self.ramp(variance.squareRoot(), from: 4, to: 32)
        // The scale is logarithmic: twice as sharp is one step, wherever one starts.
        let sharpness = Self.ramp(detail > 0 ? detail.logarithm2 : -20, from: -8.5, to: -5)
        let noise = Self.ramp(detail, from: 1.5, to: 3)
        var movement = 0.0
        if let earlier {
            movement = max(
                Self.ramp(image.distance(to: earlier), from: 20, to: 50),
                // A fade changes the brightness of the whole frame.
                Self.ramp(abs(mean - earlier.mean), from: 5, to: 20))
        }
        // A soft frame is better than a dark one: only darkness and flatness reduce the score to zero.
        value =
            exposure * contrast * (0.1 + 0.9 * sharpness) * (1 - 0.9 * noise) * (1 - 0.7 * movement)
        self.variance = variance
    }

    private static func ramp(_ value: Double, from low: Double, to high: Double) -> Double {
        min(1, max(0, (value - low) / (high - low)))
    }

    package static func < (lhs: PosterScore, rhs: PosterScore) -> Bool {
        (lhs.value, lhs.variance) < (rhs.value, rhs.variance)
    }
}

extension Double {
    /// The base-2 logarithm, exact at powers of two and linear in between: close enough for a score, and the same on
    /// every machine.
    fileprivate var logarithm2: Double { Double(exponent) + significand - 1 }
}
