import MediaCore
import Testing

struct LanguageTagTests {
    @Test(
        arguments: [
            ("spa", "es", "Español"), ("es", "es", "Español"), ("ger", "de", "Deutsch"), ("deu", "de", "Deutsch"),
            ("ENG", "en", "English"), ("pt-br", "pt-BR", "Português (BR)"), ("pt_BR", "pt-BR", "Português (BR)"),
            ("zh-hans-cn", "zh-Hans-CN", "中文 (Hans-CN)"), ("es-419", "es-419", "Español (419)"), ("gsw", "gsw", "gsw"),
        ] as [(String, String, String)])
    func isTheShortestTag(_ text: String, _ tag: String, _ name: String) {
        let language = LanguageTag(text)
        #expect(language?.text == tag)
        #expect(language?.name == name)
    }

    @Test(arguments: ["", "e", "und", "mul", "english", "es-", "es--MX", "es MX", "e1", "ñu", "es-\"", "es-123456789"])
    func othersAreNone(_ text: String) { #expect(LanguageTag(text) == nil) }

    @Test(arguments: [(0, "en"), (6, "es"), (11, "ja"), (32, "ru")] as [(UInt16, String)])
    func knowsQuickTimesNumbers(_ code: UInt16, _ tag: String) {
        #expect(LanguageTag(macintoshLanguageCode: code)?.text == tag)
    }

    @Test func unassignedNumbersAreNone() {
        #expect(LanguageTag(macintoshLanguageCode: 0x3FF) == nil)
        #expect(LanguageTag(macintoshLanguageCode: .max) == nil)
    }
}
