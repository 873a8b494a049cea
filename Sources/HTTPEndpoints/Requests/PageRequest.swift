import Foundation
package import Hummingbird
import MediaCore

/// The query parameters `limit`, `cursor` and `q` of a request for a list.
package struct PageRequest: Sendable, Equatable {
    package static let defaultLimit = ListLimits.defaultSize
    package static let maximumLimit = ListLimits.maximumSize
    /// Limit of `q` in Unicode scalars, longer than any title; the cost of a search is linear in it.
    package static let maximumQueryLength = 200
    /// Limit of `cursor`. The catalogue's cursors hold a title and an id; the catalogue rejects longer ones itself.
    package static let maximumCursorByteCount = 8_192

    /// Maximum number of items in the response.
    package var limit: Int
    /// The `next` of the previous page; `nil` for the first page.
    package var cursor: String?
    /// Words to search for; `nil` if there are none.
    package var query: String?

    /// - Parameters:
    ///   - request: the request.
    ///   - defaultLimit: number of items if the request names none; lists whose pages belong together have another one.
    /// - Throws: ``ProblemDetails`` with status 400 if a parameter is not valid.
    package init(_ request: Request, defaultLimit: Int = Self.defaultLimit) throws {
        limit = try Self.number("limit", in: request, 1...Self.maximumLimit) ?? defaultLimit
        cursor = Self.value(of: "cursor", in: request)
        if let cursor, cursor.utf8.count > Self.maximumCursorByteCount || !cursor.utf8.allSatisfy(Self.isCursorDigit) {
            throw ProblemDetails(.badRequest, "\"cursor\" must be the \"next\" value of the previous page")
        }
        if cursor?.isEmpty == true { cursor = nil }
        let text = Self.value(of: "q", in: request) ?? ""
        try Self.check(text, "q", maximumLength: Self.maximumQueryLength)
        query = text.allSatisfy(\.isWhitespace) ? nil : text
    }

    /// Returns whether the byte is a digit of base64 for URLs (RFC 4648 §5).
    private static func isCursorDigit(_ byte: UInt8) -> Bool {
        let scalar = Unicode.Scalar(byte)
        return scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            || "-_".utf8.contains(byte)
    }

    /// The value of a query parameter in the encoding of HTML forms, where a plus sign is a space; `nil` if it is
    /// missing.
    package static func value(of name: String, in request: Request) -> String? {
        for pair in (request.uri.query ?? "").split(separator: "&") where pair.hasPrefix("\(name)=") {
            return pair.dropFirst(name.utf8.count + 1).replacing("+", with: " ").removingPercentEncoding
        }
        return nil
    }

    /// Checks the length of a query parameter, in Unicode scalars.
    ///
    /// - Throws: ``ProblemDetails`` with status 400 if it is longer.
    static func check(_ text: String, _ name: String, maximumLength: Int) throws {
        guard text.unicodeScalars.count <= maximumLength else {
            throw ProblemDetails(.badRequest, "\"\(name)\" is limited to \(maximumLength) characters")
        }
    }

    /// The values of a query parameter that says yes or no.
    private enum Flag: String, CaseIterable {
        case `true`, `false`
    }

    /// Returns true if a query parameter says `true`; false if it is missing.
    ///
    /// - Throws: ``ProblemDetails`` with status 400 for anything but `true` and `false`.
    package static func flag(_ name: String, in request: Request) throws -> Bool {
        try choice(name, in: request) == Flag.true
    }

    /// The value of a query parameter that is a whole number; `nil` if it is missing.
    ///
    /// - Throws: ``ProblemDetails`` with status 400 for anything else.
    package static func number(_ name: String, in request: Request, _ range: ClosedRange<Int>) throws -> Int? {
        guard let text = value(of: name, in: request) else { return nil }
        guard let number = Int(digits: text[...]), range.contains(number) else {
            throw ProblemDetails(
                .badRequest, "\"\(name)\" must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The value of a query parameter that has a few values; `nil` if it is missing.
    ///
    /// - Throws: ``ProblemDetails`` with status 400, which names the values, for any other.
    package static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, in request: Request
    ) throws -> Choice? {
        guard let text = value(of: name, in: request) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let allowed = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw ProblemDetails(.badRequest, "\"\(name)\" must be one of \(allowed)")
        }
        return choice
    }
}
