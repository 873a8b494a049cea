/// A picture's brightness in few pixels: enough to tell what the picture is good for.
package struct LumaPicture: Sendable, Hashable {
    package let width: Int
    package let height: Int
    /// Row by row, 0 to 255.
    package let pixels: [UInt8]

    /// - Precondition: as many pixels as width and height say, and not none.
    package init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(width > 1 && height > 1 && pixels.count == width * height, "pixels are a picture's")
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    package var mean: Double { Double(pixels.reduce(0) { $0 + Int($1) }) / Double(pixels.count) }

    package var variance: Double {
        let squares = pixels.reduce(0) { $0 + Int($1) * Int($1) }
        return max(0, Double(squares) / Double(pixels.count) - mean * mean)
    }

    /// Energy of the differences between neighbours, as a share of the variance: near 0 for what is blurred, some
    /// hundredths for what is sharp, 4 for noise.
    package var detail: Double {
        var energy = 0
        for row in 0..<height - 1 {
            let start = row * width
            for index in start..<start + width - 1 {
                let right = Int(pixels[index + 1]) - Int(pixels[index])
                let down = Int(pixels[index + width]) - Int(pixels[index])
                energy += right * right + down * down
            }
        }
        let variance = variance
        return variance > 0 ? Double(energy) / Double((width - 1) * (height - 1)) / variance : 0
    }

    /// Of the same size; how far pixels are apart on average, 0 to 255.
    package func distance(to other: LumaPicture) -> Double {
        guard other.pixels.count == pixels.count else { return 255 }
        var sum = 0
        for index in pixels.indices { sum += abs(Int(pixels[index]) - Int(other.pixels[index])) }
        return Double(sum) / Double(pixels.count)
    }
}

/// How good a poster a picture would be.
package struct PosterScore: Sendable, Comparable {
    /// 0 to 1.
    package let value: Double
    /// Tells two pictures apart of which neither is any good.
    private let variance: Double

    /// From here on another picture is hardly better.
    package static let good = PosterScore(value: 0.8, variance: 0)

    private init(value: Double, variance: Double) {
        self.value = value
        self.variance = variance
    }

    /// - Parameter earlier: some pictures before, to tell cuts and fades; `nil` where there is none.
    package init(_ picture: LumaPicture, earlier: LumaPicture? = nil) {
        let (mean, variance, detail) = (picture.mean, picture.variance, picture.detail)
        // 16 is the black of video, 235 its white.
        let exposure = Self.ramp(mean, from: 24, to: 56) * (1 - Self.ramp(mean, from: 215, to: 240))
        let contrast = Self.ramp(variance.squareRoot(), from: 4, to: 32)
        // By ratios: twice as sharp is a step, wherever one starts.
        let sharpness = Self.ramp(detail > 0 ? detail.logarithm2 : -20, from: -8.5, to: -5)
        let noise = Self.ramp(detail, from: 1.5, to: 3)
        var movement = 0.0
        if let earlier {
            movement = max(
                Self.ramp(picture.distance(to: earlier), from: 20, to: 50),
                // A fade changes the whole picture's brightness.
                Self.ramp(abs(mean - earlier.mean), from: 5, to: 20))
        }
        // A soft picture is better than a dark one: only darkness and flatness make it nothing.
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
    /// Exact at powers of two and straight in between: near enough for a score, and the same on every machine.
    fileprivate var logarithm2: Double { Double(exponent) + significand - 1 }
}
