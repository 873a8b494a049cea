import CEmbeddedFiles
import Foundation
import Synchronization

/// The files of texts, one for each language, which are part of the program.
///
/// A text that a file lacks is taken from the English file, so that a translation can be used before it is complete.
/// A file such as `es-formal` is not a language: it has the texts of its language that are others for people who are
/// addressed formally, and is used if the station wants that.
final class SiteTextFiles: Sendable {
    /// The section `language` of a file.
    struct Facts: Sendable, Decodable {
        var name = "English"
        var locale = "en_GB"
        var decimalSeparator = "."
    }

    private struct Key: Hashable {
        var type: ObjectIdentifier
        var tag: String
    }

    static let shared = SiteTextFiles(embedded)

    private static var embedded: [String: Data] {
        var files: [String: Data] = [:]
        for index in 0..<antena_language_count() {
            let language = antena_language(index)
            files[String(cString: language.tag)] = Data(bytes: language.file.bytes, count: language.file.count)
        }
        return files
    }

    /// The facts about each language, by tag.
    let facts: [String: Facts]
    /// The JSON objects of the sections, by tag and name.
    private let sections: [String: [String: Data]]
    private let formality = Mutex(false)
    private let decoded = Mutex<[Key: any Sendable]>([:])

    /// - Parameter files: the files, by tag. One that is not JSON is no language.
    init(_ files: [String: Data]) {
        let documents = files.compactMapValues { file in
            try? JSONSerialization.jsonObject(with: file) as? [String: Any]
        }
        let english = documents[SiteLanguage.englishTag] ?? [:]
        var facts = [SiteLanguage.englishTag: Facts()]
        var sections: [String: [String: Data]] = [:]
        for (tag, document) in documents {
            let language = Self.language(tag)
            var texts = Self.merged(documents[language] ?? [:], over: english)
            if language != tag { texts = Self.merged(document, over: texts, isComplete: false) }
            for (name, value) in texts {
                guard var section = value as? [String: Any] else { continue }
                section["language"] = section["language"] ?? language
                sections[tag, default: [:]][name] = try? JSONSerialization.data(withJSONObject: section)
            }
            guard language == tag else { continue }
            if let own = sections[tag]?["language"] { facts[tag] = try? JSONDecoder().decode(Facts.self, from: own) }
        }
        (self.facts, self.sections) = (facts, sections)
    }

    private static let formalEnding = "-formal"

    /// The tag of the language of a file.
    private static func language(_ tag: String) -> String {
        tag.hasSuffix(formalEnding) ? String(tag.dropLast(formalEnding.count)) : tag
    }

    /// - Parameter isComplete: whether a text with a number has all forms of the language, not only some that replace
    ///   others.
    private static func merged(
        _ translation: [String: Any], over texts: [String: Any], isComplete: Bool = true
    ) -> [String: Any] {
        texts.merging(translation) { old, new in
            guard let old = old as? [String: Any], let new = new as? [String: Any] else { return new }
            return isComplete && old["other"] is String ? new : merged(new, over: old, isComplete: isComplete)
        }
    }

    /// Whether people are addressed formally, in languages that have texts for it. It holds for the whole program, as a
    /// program is one station.
    var isFormal: Bool {
        get { formality.withLock { $0 } }
        set { formality.withLock { $0 = newValue } }
    }

    /// A section in a language; in English if the file of the language has values of other types in it.
    func section<Section: SiteTextSection>(_ type: Section.Type, in language: SiteLanguage) -> Section {
        let formal = language.rawValue + Self.formalEnding
        let wanted = isFormal && sections[formal] != nil ? formal : language.rawValue
        let key = Key(type: ObjectIdentifier(type), tag: wanted)
        if let known = decoded.withLock({ $0[key] }) as? Section { return known }
        for tag in [wanted, SiteLanguage.englishTag] {
            guard let section = try? decode(type, tag) else { continue }
            decoded.withLock { $0[key] = section }
            return section
        }
        // The English file is part of the program, and a test decodes each section of it.
        preconditionFailure("the English texts have no section \(Section.section) of the type \(type)")
    }

    /// - Throws: `DecodingError`
    func decode<Section: SiteTextSection>(_ type: Section.Type, _ tag: String) throws -> Section {
        let decoder = JSONDecoder()
        decoder.userInfo[.pluralRule] = PluralRule(Self.language(tag))
        decoder.userInfo[.numberLocale] = Locale(identifier: (facts[Self.language(tag)] ?? Facts()).locale)
        return try decoder.decode(type, from: sections[tag]?[Section.section] ?? Data())
    }
}
