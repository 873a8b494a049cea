/// The draw of the side that serves first.
///
/// Anybody can repeat it by hand: if the digits of the seed, which is hexadecimal, add up to an even number, side A
/// serves. The script `matchdraw.js` draws in the same way.
package struct FirstServeDraw: Sendable, Hashable {
    /// The seed, in lower-case hexadecimal digits.
    package let seed: String

    package static let digitCount = 16

    /// - Returns: `nil` unless the text has ``digitCount`` hexadecimal digits, in lower case.
    package init?(seed: String) {
        guard seed.utf8.count == Self.digitCount,
            seed.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (97...102).contains($0) })
        else { return nil }
        self.seed = seed
    }

    private init(_ number: UInt64) {
        let digits = String(number, radix: 16)
        seed = String(repeating: "0", count: Self.digitCount - digits.count) + digits
    }

    /// A new draw.
    package static func random() -> FirstServeDraw {
        FirstServeDraw(UInt64.random(in: .min ... .max))
    }

    /// The side that serves first. In doubles its first player does.
    package var side: MatchSide {
        seed.reduce(0) { $0 + ($1.hexDigitValue ?? 0) }.isMultiple(of: 2) ? .a : .b
    }
}
