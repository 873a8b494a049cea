import CEmbeddedFiles
import Foundation
import Synchronization

/// The files of texts, one for each language, which are part of the program.
///
/// A text that a file lacks is taken from the English file, so that a translation can be used before it is complete.
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
            for (name, value) in Self.merged(document, over: english) {
                guard var section = value as? [String: Any] else { continue }
                section["language"] = section["language"] ?? tag
                sections[tag, default: [:]][name] = try? JSONSerialization.data(withJSONObject: section)
            }
            if let own = sections[tag]?["language"] { facts[tag] = try? JSONDecoder().decode(Facts.self, from: own) }
        }
        (self.facts, self.sections) = (facts, sections)
    }

    private static func merged(_ translation: [String: Any], over english: [String: Any]) -> [String: Any] {
        english.merging(translation) { old, new in
            guard let old = old as? [String: Any], let new = new as? [String: Any] else { return new }
            return old["other"] is String ? new : merged(new, over: old)
        }
    }

    /// A section in a language; in English if the file of the language has values of other types in it.
    func section<Section: SiteTextSection>(_ type: Section.Type, in language: SiteLanguage) -> Section {
        let key = Key(type: ObjectIdentifier(type), tag: language.rawValue)
        if let known = decoded.withLock({ $0[key] }) as? Section { return known }
        for tag in [language.rawValue, SiteLanguage.englishTag] {
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
        decoder.userInfo[.pluralRule] = PluralRule(tag)
        return try decoder.decode(type, from: sections[tag]?[Section.section] ?? Data())
    }
}
