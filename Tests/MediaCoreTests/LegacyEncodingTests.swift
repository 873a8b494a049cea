import MediaCore
import Testing

struct LegacyEncodingTests {
    @Test(arguments: [
        ("", LegacyEncoding.western), ("C", .western), ("POSIX", .western), ("es_ES.UTF-8", .western),
        ("en_US", .western), ("pl_PL.UTF-8", .centralEuropean), ("ru_RU.KOI8-R", .cyrillic), ("el_GR", .greek),
        ("sr_RS.UTF-8", .cyrillic), ("sr_RS@latin", .centralEuropean), ("tr_TR.UTF-8", .turkish), ("@@..__", .western),
    ])
    func theLocaleTellsTheEncoding(_ locale: String, _ expected: LegacyEncoding) {
        #expect(LegacyEncoding(ofLocale: locale) == expected)
    }

    @Test func validUnicodeIsLeftAlone() {
        #expect(LegacyEncoding.cyrillic.text(Array("Canción".utf8)) == "Canción")
        #expect(LegacyEncoding.western.text([0x43, 0x61, 0x6E, 0x63, 0x69, 0xF3, 0x6E]) == "Canción")
        #expect(LegacyEncoding.western.text([0x93, 0x48, 0x69, 0x94, 0x20, 0x80]) == "“Hi” €")
        #expect(LegacyEncoding.cyrillic.text([0xCF, 0xE5, 0xF1, 0xED, 0xFF]) == "Песня")
    }
}
