import CEmbeddedFiles
import JSONDocument

/// The sets of rules that are part of the program.
package enum MatchRuleFiles {
    /// All of them, by name.
    package static let all: [MatchRules] = files.compactMap { file in
        guard let node = try? JSONParser.parse(file.text) else { return nil }
        return try? MatchRules(node, file: file.name)
    }

    /// The rules with a name.
    package static func rules(_ id: String) -> MatchRules? { all.first { $0.id == id } }

    /// The texts of the rules by their names, as they are stored with matches.
    private static let texts = Dictionary(
        files.map { ($0.name, String(decoding: $0.text, as: UTF8.self)) }, uniquingKeysWith: { first, _ in first })

    /// The text of the rules with a name.
    package static func text(_ id: String) -> String? { texts[id] }

    /// The name of rules by their text, which may be that of an earlier version of the program.
    static func id(ofText text: String) -> String? {
        texts.first { $0.value == text }?.key ?? (try? JSONParser.parse(text.utf8)["id"]?.string)
    }

    /// The files, and the schema that they follow.
    static var files: [(name: String, text: [UInt8])] {
        (0..<antena_match_rules_count()).map { index in
            let file = antena_match_rules(index)
            return (String(cString: file.name), file.file.content)
        }
    }

    static var schema: [UInt8] { antena_match_rules_schema_json().content }
}

extension AntenaEmbeddedFile {
    fileprivate var content: [UInt8] { Array(UnsafeBufferPointer(start: bytes, count: count)) }
}
