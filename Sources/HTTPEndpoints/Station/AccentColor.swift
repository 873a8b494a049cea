import Foundation

/// A colour of the station, and the variants of it that can be read on its pages.
package struct AccentColor: Sendable, Hashable {
    private let red, green, blue: UInt8

    private init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// - Parameter text: a colour such as `#1c7c3c`.
    /// - Returns: `nil` for any other text.
    package init?(parsing text: String) {
        let digits = Array(text.utf8.dropFirst())
        guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6,
            digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        self.init(
            red: UInt8(value >> 16 & 0xff), green: UInt8(value >> 8 & 0xff), blue: UInt8(value & 0xff))
    }

    /// The colour as in style sheets, such as `#1c7c3c`.
    package var text: String { "#" + [red, green, blue].map(Self.digits).joined() }

    private static func digits(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0\(digits)" : digits
    }

    /// The darkest surface of light pages and the lightest of dark ones that have words in the accent on them
    /// (`--hover` of `tokens.css`).
    package static let lightSurface = AccentColor(red: 0xec, green: 0xee, blue: 0xf2)
    package static let darkSurface = AccentColor(red: 0x1f, green: 0x24, blue: 0x2d)
    private static let black = AccentColor(red: 0, green: 0, blue: 0)
    private static let white = AccentColor(red: 0xff, green: 0xff, blue: 0xff)

    /// The contrast of text that the Web Content Accessibility Guidelines 2.2 ask for (1.4.3, level AA).
    package static let minimumContrast = 4.5

    /// The colour on light pages: the same, or as much darker as its words need. White words can be read on it.
    package var onLightPages: AccentColor { approaching(Self.black, on: Self.lightSurface) }
    /// The colour on dark pages: the same, or as much lighter as its words need. Black words can be read on it.
    package var onDarkPages: AccentColor { approaching(Self.white, on: Self.darkSurface) }

    private static let stepCount = 64

    /// The nearest colour on the way to another one that has enough contrast on a surface.
    private func approaching(_ end: AccentColor, on surface: AccentColor) -> AccentColor {
        for step in 0..<Self.stepCount {
            let colour = mixed(with: end, Double(step) / Double(Self.stepCount))
            if colour.contrast(with: surface) >= Self.minimumContrast { return colour }
        }
        return end
    }

    private func mixed(with other: AccentColor, _ share: Double) -> AccentColor {
        func mix(_ own: UInt8, _ other: UInt8) -> UInt8 {
            UInt8((Double(own) * (1 - share) + Double(other) * share).rounded())
        }
        return AccentColor(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }

    /// The contrast ratio of two colours, from 1 to 21 (Web Content Accessibility Guidelines 2.2, "contrast ratio").
    package func contrast(with other: AccentColor) -> Double {
        let (lighter, darker) = (max(luminance, other.luminance), min(luminance, other.luminance))
        return (lighter + 0.05) / (darker + 0.05)
    }

    /// The relative luminance, from 0 to 1 (the same document).
    private var luminance: Double {
        func linear(_ byte: UInt8) -> Double {
            let value = Double(byte) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}
