import Foundation
import HLSPlaylist
import JSONDocument
import MediaCore
import Packaging

extension JSONText {
    /// A value encoded through its `Encodable` conformance; dates are ISO 8601 in UTC with milliseconds.
    ///
    /// - Throws: `EncodingError`
    static func encoded(_ value: some Encodable) throws -> JSONText {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(ProgramDateTime(WallClockTime(date)).description)
        }
        return .raw(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}
