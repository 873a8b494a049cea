import Foundation
import TestSupport
import Testing

@testable import SiteTexts

/// The files of texts: what a translator may get wrong, and what would leave a hole in a page.
struct SiteTextFilesTests {
    private static let folder = "\(Repository.path)/Sources/WebSite/Resources/texts"

    /// The files by the names of their tags; one that ends with `-formal` belongs to a language.
    private static let files: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }.sorted()
    }()
    private static let tags = files.filter { !$0.hasSuffix("-formal") }
    private static let formal = files.filter { $0.hasSuffix("-formal") }

    private static func document(_ tag: String) throws -> [String: Any] {
        let data = try Data(contentsOf: URL(filePath: "\(folder)/\(tag).json"))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// The texts of a file by their paths, such as `site.live`; the forms of a noun are one.
    private static func texts(_ value: Any, at path: String = "") -> [String: [String: String]] {
        if let text = value as? String { return [path: ["": text]] }
        guard let object = value as? [String: Any] else { return [path: [:]] }
        if let forms = object as? [String: String], forms["other"] != nil, forms["unknownFormat"] == nil {
            let known = ["zero", "one", "two", "few", "many", "other"]
            if forms.keys.allSatisfy(known.contains) { return [path: forms] }
        }
        return object.reduce(into: [:]) { all, member in
            all.merge(texts(member.value, at: path.isEmpty ? member.key : "\(path).\(member.key)")) { first, _ in first
            }
        }
    }

    private static func names(in text: String) -> Set<String> {
        Set(text.matches(of: /\{(\w+)\}/).map { String($0.1) })
    }

    @Test func everyFileIsALanguageOfTheProgram() {
        #expect(Self.tags.count >= 2)
        #expect(
            SiteLanguage.allCases.map(\.rawValue) == Self.tags,
            "a file was added or removed since Sources/CEmbeddedFiles/CEmbeddedFiles.c was compiled")
    }

    @Test(arguments: tags)
    func everyLanguageHasTheSameTexts(_ tag: String) throws {
        let (english, translation) = (Self.texts(try Self.document("en")), Self.texts(try Self.document(tag)))
        #expect(Set(english.keys).symmetricDifference(translation.keys).sorted() == [])
        for (path, forms) in translation {
            let expected = english[path, default: [:]].values.reduce(into: Set<String>()) {
                $0.formUnion(Self.names(in: $1))
            }
            for (form, text) in forms {
                #expect(Self.names(in: text).isSubset(of: expected), "\(tag): \(path) \(form)")
                #expect(text == text.trimmingCharacters(in: .whitespacesAndNewlines), "\(tag): \(path) \(form)")
            }
        }
        #expect(SiteLanguage(rawValue: tag)?.name.isEmpty == false)
    }

    /// A formal text that is that of the language, or that the language does not have, is work for nothing.
    @Test(arguments: formal)
    func formalTextsAreThoseThatDiffer(_ tag: String) throws {
        let language = Self.texts(try Self.document(String(tag.dropLast("-formal".count))))
        let formal = Self.texts(try Self.document(tag))
        #expect(!formal.isEmpty)
        for (path, forms) in formal {
            let own = language[path, default: [:]]
            for (form, text) in forms {
                let other = own[form] ?? ""
                #expect(!other.isEmpty && other != text, "\(tag): \(path) \(form)")
                #expect(Self.names(in: text) == Self.names(in: other), "\(tag): \(path) \(form)")
            }
        }
    }

    /// A section that no type reads, or a text that nothing shows, is work for translators that nobody sees.
    @Test func everyTextIsUsed() throws {
        var sources: [String: String] = [:]
        for folder in ["WebSite", "WebAPI", "Features", "Workflows"] {
            let path = "\(Repository.path)/Sources/\(folder)"
            let files = try #require(FileManager.default.enumerator(atPath: path))
            for case let name as String in files where name.hasSuffix(".swift") || name.hasSuffix(".mustache") {
                sources["\(folder)/\(name)"] = try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
            }
        }
        // Each word that follows a full stop, or stands in a file that declares a section.
        var words: Set<String> = []
        for source in sources.values { words.formUnion(source.matches(of: /\.(\w+)/).map { String($0.1) }) }
        for (section, value) in try Self.document("en") where section != "language" {
            // A section may have a type for each target that shows some of its texts.
            let owners = sources.values.filter { $0.contains("static let section = \"\(section)\"") }
            try #require(!owners.isEmpty, "\(section)")
            let types = owners.compactMap { $0.firstMatch(of: /struct (\w+): SiteTextSection/)?.1 }
            let extended = sources.values.filter { source in types.contains { source.contains("extension \($0) {") } }
            let own = Dictionary(
                (owners + extended).joined(separator: " ").matches(of: /\w+/).map { (String($0.0), 1) },
                uniquingKeysWith: +)
            // A section whose keys are the values of an enumeration has no properties.
            guard let texts = value as? [String: Any],
                !owners.contains(where: { $0.contains("[String: String](from: decoder)") })
            else { continue }
            for key in texts.keys.sorted() {
                #expect(words.contains(key) || own[key, default: 0] > 1, "\(section).\(key)")
            }
        }
    }

    private struct Greeting: SiteTextSection {
        static let section = "greeting"
        let hello, bye: String
        let guests: PluralText
    }

    @Test func whatATranslationLacksIsEnglish() throws {
        let files = SiteTextFiles([
            "en": Data(
                #"{"greeting": {"hello": "Hello", "bye": "Bye", "guests": {"one": "a guest", "other": "{count} guests"}}}"#
                    .utf8),
            "pl": Data(
                #"{"greeting": {"hello": "Cześć", "guests": {"one": "{count} gość", "few": "{count} goście", "other": "{count} gości"}}}"#
                    .utf8),
            "xx": Data(#"{"greeting": {"hello": 7}}"#.utf8), "yy": Data("no JSON".utf8),
        ])
        #expect(files.facts.keys.sorted() == ["en"], "only a file with the section `language` is one")
        let polish = try files.decode(Greeting.self, "pl")
        #expect(polish.hello == "Cześć" && polish.bye == "Bye")
        #expect([1, 2, 5, 22].map { polish.guests($0) } == ["1 gość", "2 goście", "5 gości", "22 goście"])
        #expect(throws: DecodingError.self) { try files.decode(Greeting.self, "xx") }
        #expect(try files.decode(Greeting.self, "en").guests(1) == "a guest")
    }

    @Test func formalTextsReplaceThoseOfTheLanguageOnly() throws {
        let files = SiteTextFiles([
            "en": Data(#"{"greeting": {"hello": "Hi", "bye": "Bye", "guests": {"one": "a", "other": "b"}}}"#.utf8),
            "es": Data(
                #"{"language": {"name": "Español", "locale": "es_ES", "decimalSeparator": ","}, "greeting": {"hello": "Pasa", "guests": {"one": "tu invitado", "other": "tus {count} invitados"}}}"#
                    .utf8),
            "es-formal": Data(#"{"greeting": {"hello": "Pase", "guests": {"other": "sus {count} invitados"}}}"#.utf8),
        ])
        #expect(files.facts.keys.sorted() == ["en", "es"])
        let language = try #require(SiteLanguage(rawValue: "es"))
        #expect(files.section(Greeting.self, in: language).hello == "Pasa")
        files.isFormal = true
        let formal = files.section(Greeting.self, in: language)
        #expect(formal.hello == "Pase" && formal.bye == "Bye")
        #expect(formal.guests(1) == "tu invitado" && formal.guests(2) == "sus 2 invitados")
        #expect(files.section(Greeting.self, in: .english).hello == "Hi")
        files.isFormal = false
        #expect(files.section(Greeting.self, in: language).hello == "Pasa")
    }
}
