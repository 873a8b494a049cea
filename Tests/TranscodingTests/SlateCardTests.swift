import Foundation
import Testing

@testable import Transcoding

struct SlateCardTests {
    private func card(_ title: String?, width: Int = 640, height: Int = 360) -> SlateCard {
        SlateCard(width: width, height: height, title: title?.decomposedStringWithCanonicalMapping)
    }

    private func coveredRows(_ card: SlateCard) -> [Int] {
        (0..<card.height).filter { row in
            card.coverage[(row * card.width)..<((row + 1) * card.width)].contains { $0 > 64 }
        }
    }

    @Test func saysTheTitleAndThatItWillBeBack() throws {
        let (without, with) = (card(nil), card("Canal A"))
        #expect(!coveredRows(without).isEmpty, "the promise stands alone")
        #expect(coveredRows(with).count > coveredRows(without).count)
        // The title is white, the notice dimmer.
        #expect(with.coverage.max() == 255 && without.coverage.max().map { $0 < 200 } == true)
    }

    @Test(arguments: [
        "Canal Ñandú", "Ünïcödé çà é", "¿Qué? ¡Sí!", "“Quotes” – and … dashes", "Straße 7 €", "Ærø", "iíjî",
    ])
    func writesWhatEuropeansWrite(title: String) {
        #expect(StrokeFont.glyphs(of: title.decomposedStringWithCanonicalMapping)?.isEmpty == false)
        #expect(card(title).coverage.max() == 255)
    }

    /// Half a title would be worse than none.
    @Test(arguments: ["日本放送", "Канал", "עברית", "A日B"])
    func leavesOutATitleThatItCannotWrite(title: String) {
        #expect(card(title).coverage == card(nil).coverage)
    }

    @Test func leavesOutSymbolsThatItCannotDraw() {
        #expect(card("Fiesta 🎉").coverage == card("Fiesta").coverage)
        #expect(card("🎉").coverage == card(nil).coverage)
    }

    @Test(arguments: [
        String(repeating: "long title ", count: 5), String(repeating: "W", count: 300),
        String(repeating: "e\u{301}", count: 500),
        "\n \t", "",
    ])
    func staysWithinThePicture(title: String) {
        for (width, height) in [(640, 360), (360, 640), (64, 36), (2, 2), (16, 16)] {
            let card = card(title, width: width, height: height)
            #expect(card.coverage.count == width * height)
            guard width >= 360 else { continue }
            let margins = (0..<height).flatMap { row in [0, 1, width - 2, width - 1].map { row * width + $0 } }
            #expect(margins.allSatisfy { card.coverage[$0] == 0 })
        }
    }

    @Test func everyGlyphHasItsPlace() {
        for code in UInt8(0x21)...0x7E {
            let glyphs = StrokeFont.glyphs(of: String(UnicodeScalar(code)))
            #expect(glyphs?.count == 1 && glyphs?.first?.strokes.isEmpty == false, "\(code)")
            #expect((glyphs?.first?.advance).map { (4...40).contains($0) } == true, "\(code)")
        }
    }
}
