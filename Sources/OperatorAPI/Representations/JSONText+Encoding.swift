import Foundation
import HLSPlaylist
import JSONDocument

extension JSONText {
    /// A value encoded through its `Encodable` conformance; dates are ISO 8601 in UTC with milliseconds.
    ///
    /// - Throws: `EncodingError`
    static func encoded(_ value: some Encodable) throws -> JSONText {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            let milliseconds = Int64((date.timeIntervalSince1970 * 1_000).rounded())
            var container = encoder.singleValueContainer()
            try container.encode(ProgramDateTime(millisecondsSince1970: milliseconds).description)
        }
        return .raw(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}
