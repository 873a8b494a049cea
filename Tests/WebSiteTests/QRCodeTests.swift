import Foundation
import TestSupport
import Testing

@testable import WebSite

/// QR codes, read by the scanner of Debian's zbar-tools.
struct QRCodeTests {
    /// Lengths of text around each step to a larger version.
    static let lengths = [1, 14, 15, 26, 27, 42, 43, 62, 63, 84, 85, 106, 107, 122, 123, 152, 153, 180]

    @Test(arguments: lengths) func aScannerReadsWhatWasWritten(_ count: Int) async throws {
        let alphabet = Array("otpauth://TOTP/Antena:ana?secret=234567&digits=6")
        let text = String((0..<count).map { alphabet[($0 * 7 + count) % alphabet.count] })
        #expect(try await Self.read(try #require(QRCode(text))) == text)
    }

    @Test func aVersionIsAsSmallAsTheTextAllows() throws {
        #expect(QRCode("a")?.size == 21)
        #expect(QRCode(String(repeating: "a", count: 14))?.size == 21)
        #expect(QRCode(String(repeating: "a", count: 15))?.size == 25)
        #expect(QRCode(String(repeating: "a", count: 180))?.size == 53)
        #expect(QRCode(String(repeating: "a", count: 181)) == nil)
    }

    @Test func theElementHoldsNoStyleAndNoMarkupOfItsLabel() throws {
        let svg = try #require(QRCode("a")).svg(label: "<b> & \"c\"")
        #expect(svg.contains("aria-label=\"&lt;b&gt; &amp; &quot;c&quot;\"") && !svg.contains("style"))
    }

    /// Draws the code as an image of eight pixels a module and has it read.
    private static func read(_ code: QRCode) async throws -> String {
        let (scale, zone) = (8, 4)
        let edge = (code.size + 2 * zone) * scale
        var image = Data("P5 \(edge) \(edge) 255\n".utf8)
        for y in 0..<edge {
            for x in 0..<edge {
                let (row, column) = (y / scale - zone, x / scale - zone)
                let isInside = (0..<code.size).contains(row) && (0..<code.size).contains(column)
                image.append(isInside && code.modules[row * code.size + column] ? 0 : 255)
            }
        }
        let folder = try TemporaryDirectory(label: "qr")
        try image.write(to: URL(fileURLWithPath: folder.file("code.pgm")))
        let answer = try await ExternalTool("zbarimg").run(["--quiet", "--raw", "-Sbinary", folder.file("code.pgm")])
        return answer.text.trimmingCharacters(in: .newlines)
    }
}
