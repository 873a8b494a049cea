/// The pixels of a board, in the form in which they are laid over a frame: planar 4:2:0 with eight bits, of limited
/// range, multiplied by their opacity.
package struct BoardImage: Sendable, Hashable {
    /// The matrix by which colours become luma and chroma.
    package enum Matrix: Sendable, Hashable {
        case bt601, bt709

        /// The weights of red and blue in luma.
        fileprivate var weights: (red: Double, blue: Double) {
            switch self {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            }
        }
    }

    /// One plane: what is added to a frame, and the share of the frame that stays, in 1/255.
    package struct Plane: Sendable, Hashable {
        package internal(set) var added: [UInt8]
        package internal(set) var kept: [UInt8]
    }

    /// The place of the upper left corner in the frame, in pixels; even.
    package let x: Int
    package let y: Int
    /// The size in pixels; even.
    package let width: Int
    package let height: Int
    package private(set) var luma: Plane
    /// Cb and Cr of half the width and height; both keep the same of the frame.
    package private(set) var blueChroma: Plane
    package private(set) var redChroma: Plane

    /// Takes over pixels of cairo.
    ///
    /// - Parameters:
    ///   - pixels: four bytes each, in the byte order of the machine.
    ///   - stride: the distance of two rows in bytes.
    init(
        _ pixels: UnsafePointer<UInt8>, stride: Int, x: Int, y: Int, width: Int, height: Int, matrix: Matrix
    ) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
        let (weights, count) = (matrix.weights, width * height)
        let green = 1 - weights.red - weights.blue
        var luma = Plane(added: Array(repeating: 0, count: count), kept: Array(repeating: 255, count: count))
        var blue = Plane(
            added: Array(repeating: 0, count: count / 4), kept: Array(repeating: 255, count: count / 4))
        var red = blue
        for row in 0..<height / 2 {
            for column in 0..<width / 2 {
                var sums = (alpha: 0.0, blue: 0.0, red: 0.0)
                for index in 0..<4 {
                    let (line, place) = (row * 2 + index / 2, column * 2 + index % 2)
                    let pixel = UnsafeRawPointer(pixels + line * stride + place * 4).load(as: UInt32.self)
                    func part(_ shift: UInt32) -> Double { Double(pixel >> shift & 255) / 255 }
                    let (alpha, r, g, b) = (part(24), part(16), part(8), part(0))
                    let bright = weights.red * r + green * g + weights.blue * b
                    luma.added[line * width + place] = UInt8((16 * alpha + 219 * bright).rounded())
                    luma.kept[line * width + place] = UInt8(255 - (alpha * 255).rounded())
                    sums.alpha += alpha / 4
                    sums.blue += (b - bright) / (2 - 2 * weights.blue) / 4
                    sums.red += (r - bright) / (2 - 2 * weights.red) / 4
                }
                let place = row * (width / 2) + column
                func chroma(_ difference: Double) -> UInt8 {
                    UInt8(min(max(0, 128 * sums.alpha + 224 * difference), 255).rounded())
                }
                blue.added[place] = chroma(sums.blue)
                red.added[place] = chroma(sums.red)
                blue.kept[place] = UInt8(255 - (sums.alpha * 255).rounded())
            }
        }
        red.kept = blue.kept
        (self.luma, blueChroma, redChroma) = (luma, blue, red)
    }
}

extension BoardImage.Plane {
    /// Lays the plane over one of a frame.
    ///
    /// - Parameters:
    ///   - target: the first byte of the frame's plane that is covered.
    ///   - stride: the distance of two rows of the frame in bytes.
    ///   - width: the width of this plane.
    package func blend(onto target: UnsafeMutablePointer<UInt8>, stride: Int, width: Int) {
        guard width > 0 else { return }
        added.withUnsafeBufferPointer { added in
            kept.withUnsafeBufferPointer { kept in
                for row in 0..<added.count / width {
                    let line = target + row * stride
                    let start = row * width
                    for column in 0..<width {
                        // Division by 255, rounded.
                        let product = UInt32(line[column]) &* UInt32(kept[start + column]) &+ 128
                        let share = (product &+ product >> 8) >> 8
                        line[column] = UInt8(truncatingIfNeeded: min(255, share &+ UInt32(added[start + column])))
                    }
                }
            }
        }
    }
}
