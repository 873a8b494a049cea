/// The brightness of a video frame at low resolution, enough to judge what the frame is good for.
package struct LumaImage: Sendable, Hashable {
    /// Pixels.
    package let width: Int
    /// Pixels.
    package let height: Int
    /// The luma values row by row, 0 to 255.
    package let pixels: [UInt8]
    /// The average of the pixels.
    package let mean: Double
    /// The variance of the pixels.
    package let variance: Double

    /// Creates an image.
    ///
    /// - Precondition: Both sides are larger than one pixel and `pixels` has `width * height` values.
    package init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(width > 1 && height > 1 && pixels.count == width * height, "the number of pixels matches the size")
        self.width = width
        self.height = height
        self.pixels = pixels
        var (sum, squares) = (0, 0)
        for index in pixels.indices {
            let value = Int(pixels[index])
            sum += value
            squares += value * value
        }
        let count = Double(pixels.count)
        mean = Double(sum) / count
        variance = max(0, Double(squares) / count - mean * mean)
    }

    /// The energy of the differences between neighbouring pixels, as a share of the variance: near 0 for a blurred
    /// image, some hundredths for a sharp one, 4 for noise.
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
        return variance > 0 ? Double(energy) / Double((width - 1) * (height - 1)) / variance : 0
    }

    /// Returns the average difference of the pixels, 0 to 255; 255 if the sizes differ.
    package func distance(to other: LumaImage) -> Double {
        guard other.pixels.count == pixels.count else { return 255 }
        var sum = 0
        for index in pixels.indices { sum += abs(Int(pixels[index]) - Int(other.pixels[index])) }
        return Double(sum) / Double(pixels.count)
    }
}
