import Catalogue
import Foundation
package import Hummingbird

/// `limit`, `cursor` and `q` of a request for a list.
package struct PageRequest: Sendable, Equatable {
    package static let defaultLimit = 50
    /// One answer stays below about 200 KB.
    package static let maximumLimit = Catalogue.maximumPageSize
    /// Longer than any title; a search is linear in it.
    package static let maximumQueryByteCount = 200
    /// The catalogue's cursors hold a title and an id; it refuses longer ones itself.
    package static let maximumCursorByteCount = 8_192

    package var limit: Int
    package var cursor: String?
    package var query: String?

    /// - Throws: ``ProblemDetails``, 400.
    package init(_ request: Request, defaultLimit: Int = Self.defaultLimit) throws {
        limit = defaultLimit
        if let text = Self.value(of: "limit", in: request) {
            guard let number = Int(text), (1...Self.maximumLimit).contains(number) else {
                throw ProblemDetails(.badRequest, "\"limit\" must be a number from 1 to \(Self.maximumLimit)")
            }
            limit = number
        }
        cursor = Self.value(of: "cursor", in: request)
        if let cursor, cursor.utf8.count > Self.maximumCursorByteCount {
            throw ProblemDetails(.badRequest, "\"cursor\" must be the \"next\" of the page before")
        }
        if cursor?.isEmpty == true { cursor = nil }
        let text = Self.value(of: "q", in: request) ?? ""
        guard text.utf8.count <= Self.maximumQueryByteCount else {
            throw ProblemDetails(.badRequest, "\"q\" must not be longer than \(Self.maximumQueryByteCount) bytes")
        }
        query = text.allSatisfy(\.isWhitespace) ? nil : text
    }

    /// A parameter as HTML forms encode it: a plus sign is a space.
    static func value(of name: String, in request: Request) -> String? {
        for pair in (request.uri.query ?? "").split(separator: "&") where pair.hasPrefix("\(name)=") {
            return pair.dropFirst(name.utf8.count + 1).replacing("+", with: " ").removingPercentEncoding
        }
        return nil
    }
}
