package import Capture

/// Renders an image as text: each character shows two pixels, one above the other, as its foreground and background
/// colours.
package enum HalfBlockImage {
    private static let upperHalf = "▀"
    private static let reset = "\u{1B}[0m"

    /// Renders an image.
    ///
    /// - Parameters:
    ///   - image: An image in RGB.
    ///   - columns: The width of the terminal, in which the image is centred.
    /// - Returns: Lines without line ends.
    package static func lines(_ image: PreviewImage, columns: Int) -> [String] {
        let width = min(image.width, max(1, columns))
        guard image.bytes.count >= image.width * image.height * 3 else { return [] }
        let margin = String(repeating: " ", count: max(0, (columns - width) / 2))
        func color(_ column: Int, _ row: Int) -> (UInt8, UInt8, UInt8) {
            guard row < image.height else { return (0, 0, 0) }
            let offset = (row * image.width + column) * 3
            return (image.bytes[offset], image.bytes[offset + 1], image.bytes[offset + 2])
        }
        return stride(from: 0, to: image.height, by: 2).map { row in
            var line = margin
            var last: ((UInt8, UInt8, UInt8), (UInt8, UInt8, UInt8))?
            for column in 0..<width {
                let (top, bottom) = (color(column, row), color(column, row + 1))
                // Terminals are slow at changing colours; a run of one colour sets it once.
                if last.map({ $0.0 != top || $0.1 != bottom }) ?? true {
                    line += "\u{1B}[38;2;\(top.0);\(top.1);\(top.2);48;2;\(bottom.0);\(bottom.1);\(bottom.2)m"
                    last = (top, bottom)
                }
                line += upperHalf
            }
            return line + reset
        }
    }
}
