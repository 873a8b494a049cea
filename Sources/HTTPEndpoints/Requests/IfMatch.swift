import HTTPTypes
package import Hummingbird

/// The versions that a change is meant for: the header field `If-Match` (RFC 9110 §13.1.1).
package enum IfMatch: Sendable, Hashable {
    /// Whatever is there (`*`).
    case any
    /// One of these. None of them is a weak tag, which never matches, or text that is not a tag.
    case versions(Set<String>)

    /// Limit of the tags in a header field; a client sends the one that it has read.
    package static let maximumTagCount = 16

    /// Parses the value of a header field. What is not a list of entity tags ends the list.
    package init(parsing text: String) {
        var versions = Set<String>()
        var rest = text[...]
        for _ in 0..<Self.maximumTagCount {
            rest = rest.drop { $0.isWhitespace || $0 == "," }
            if rest.first == "*" {
                self = .any
                return
            }
            let isWeak = rest.hasPrefix("W/")
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { break }
            if !isWeak { versions.insert(String(rest[rest.index(after: rest.startIndex)..<end])) }
            rest = rest[rest.index(after: end)...]
        }
        self = .versions(versions)
    }

    /// The header field of a change that replaces one value as a whole, for which it may be missing.
    package static func optional(in request: Request) -> IfMatch {
        request.headers[.ifMatch].map(IfMatch.init(parsing:)) ?? .any
    }

    /// The header field of a change that could undo a change of somebody else.
    ///
    /// - Throws: ``ProblemDetails`` with 428 without the header field (RFC 6585 §3).
    package static func required(in request: Request) throws -> IfMatch {
        guard let text = request.headers[.ifMatch] else {
            throw ProblemDetails(
                .preconditionRequired,
                "send If-Match with the ETag that you have read, so that concurrent changes are not lost; "
                    + "\"If-Match: *\" replaces any version")
        }
        return IfMatch(parsing: text)
    }

    /// Compares the versions with the one that there is.
    ///
    /// - Returns: the version that must still be there when the change is made; `nil` for any.
    /// - Throws: ``ProblemDetails`` with 412 if the change is meant for other versions.
    @discardableResult package func admitted(_ current: @autoclosure () -> String) throws -> String? {
        switch self {
        case .any: return nil
        case .versions(let versions):
            let current = current()
            guard versions.contains(current) else { throw Self.changedMeanwhile }
            return current
        }
    }

    /// The versions that the change is meant for; `nil` for any.
    package var versions: Set<String>? {
        switch self {
        case .any: nil
        case .versions(let versions): versions
        }
    }

    /// The versions of a resource whose versions are numbers; `nil` for any, and empty if none of them is a number.
    package var revisions: Set<Int64>? { versions.map { Set($0.compactMap { Int64($0) }) } }

    /// The problem of a change that comes too late.
    package static var changedMeanwhile: ProblemDetails {
        ProblemDetails(.preconditionFailed, "it was changed meanwhile; read it again")
    }
}
