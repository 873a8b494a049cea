import HTTPTypes
package import Hummingbird

/// A strong validator of what can be changed (RFC 9110 §8.8.3).
package struct EntityTag: Sendable, Hashable {
    /// The text between the quotation marks: printable ASCII without them.
    package var version: String

    package init(_ version: String) { self.version = version }

    /// The value of the header field `ETag`.
    package var field: String { "\"\(version)\"" }

    /// Limit of the tags in a header field; a client sends the one that it has read.
    private static let maximumTagCount = 16

    /// The version that a change is meant for, as the header field `If-Match` says (RFC 9110 §13.1.1).
    ///
    /// - Parameters:
    ///   - request: the request for the change.
    ///   - current: the version that there is.
    /// - Returns: the version that must still be there when the change is made; `nil` for `*`, which means any.
    /// - Throws: ``ProblemDetails``: 428 without the header field (RFC 6585 §3), 412 if it names other versions only.
    package static func required(by request: Request, current: String) throws -> String? {
        guard let text = request.headers[.ifMatch] else {
            throw ProblemDetails(
                .preconditionRequired,
                "send If-Match with the ETag of what you have read, so that no change of somebody else is lost; "
                    + "\"If-Match: *\" replaces whatever is there")
        }
        let tags = text.split(separator: ",").prefix(maximumTagCount).map {
            $0.trimmingPrefix(while: \.isWhitespace)
        }
        if tags.contains(where: { $0.prefix { !$0.isWhitespace } == "*" }) { return nil }
        let wanted = EntityTag(current).field
        guard
            tags.contains(where: {
                $0.prefix(wanted.count) == wanted && $0.dropFirst(wanted.count).allSatisfy(\.isWhitespace)
            })
        else { throw changedMeanwhile }
        return current
    }

    /// The problem of a change that comes too late.
    package static var changedMeanwhile: ProblemDetails {
        ProblemDetails(.preconditionFailed, "it was changed meanwhile; read it again")
    }
}
