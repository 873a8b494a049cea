package import APIContract
package import Accounts
import Database
package import HTTPTypes
package import Hummingbird
package import JSONDocument
import LogMetadata
import MediaCore
package import NIOCore

/// An error response of the API: `application/problem+json` (RFC 9457).
package struct ProblemDetails: Error, Sendable, Equatable {
    package var status: HTTPResponse.Status
    /// The type that programs may rely on; `nil` if the status says it all.
    package var type: ProblemType?
    /// The problem and its remedy; `nil` if the status is sufficient.
    package var detail: String?
    /// The methods for the `Allow` header of a 405 (RFC 9110 §15.5.6).
    package var allowedMethods: [HTTPRequest.Method]
    /// The mistakes in a configuration file, for the member `errors`.
    package var issues: [JSONIssue]
    /// Further members of the document, which programs may rely on (RFC 9457 §3.2).
    package var members: [JSONText.Member] = []
    /// Additional header fields of the response, such as `WWW-Authenticate`.
    package var headers: HTTPFields = [:]

    package init(
        _ status: HTTPResponse.Status, _ detail: String? = nil, allowedMethods: [HTTPRequest.Method] = [],
        issues: [JSONIssue] = [], type: ProblemType? = nil
    ) {
        self.status = status
        self.type = type ?? .standard(forStatus: status.code)
        self.detail = detail
        self.allowedMethods = allowedMethods
        self.issues = issues
    }

    private static func json(_ issue: JSONIssue) -> JSONText {
        .object([
            ("line", .optional(issue.position?.line)), ("column", .optional(issue.position?.column)),
            ("field", .string(issue.field)), ("message", .string(issue.message)),
        ])
    }

    /// A 404 that says what is missing and how to list what exists.
    ///
    /// - Parameters:
    ///   - kind: the kind of resource, such as "title".
    ///   - name: the name in the request.
    ///   - advice: the remedy, such as "GET /api/v1/titles lists them".
    ///   - nearest: the most similar known name; `nil` if none is similar.
    package static func missing(
        _ kind: String, _ name: String, _ advice: String, nearest: String? = nil
    ) -> ProblemDetails {
        let shown = UntrustedText.escaped(name, maximumCharacterCount: maximumShownNameLength)
        let hint = nearest.map { "; did you mean \"\(UntrustedText.escaped($0))\"?" } ?? ""
        return ProblemDetails(.notFound, "there is no \(kind) \"\(shown)\"; \(advice)\(hint)")
    }

    /// A 404 for a channel, title or track that there is not, or that the sender must not learn of. The two are the
    /// same, so it names no similar one.
    package static func unknown(_ kind: Resource.Kind, _ name: String) -> ProblemDetails {
        missing(kind.rawValue, name, "GET /api/v1/\(kind.rawValue)s lists them")
    }

    private static let maximumShownNameLength = 100

    /// A 503 for a request that needs the database while it does not answer.
    static var databaseUnavailable: ProblemDetails {
        var problem = ProblemDetails(
            .serviceUnavailable, "the database does not answer; try again", type: .databaseAway)
        problem.headers[.retryAfter] = String(SQLError.retryDelay.components.seconds)
        return problem
    }

    /// A 507 for a request that changes something while the disk of the database is full.
    static var databaseDiskFull: ProblemDetails {
        var problem = ProblemDetails(
            HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"),
            "the disk of the database is full, and nothing was changed; make room on it and try again")
        problem.headers[.retryAfter] = String(SQLError.retryDelay.components.seconds)
        return problem
    }

    /// The response with these problem details.
    ///
    /// - Parameter instance: the path of the request; `nil` if it is not known or not a URI.
    package func response(instance: String?) -> Response {
        Response(status: status, headers: fields, body: ResponseBody(byteBuffer: body(instance: instance)))
    }

    /// The header fields of the response.
    package var fields: HTTPFields {
        var fields = headers
        fields[.contentType] = "application/problem+json"
        fields[.cacheControl] = "no-store"
        if !allowedMethods.isEmpty { fields[.allow] = allowedMethods.map(\.rawValue).joined(separator: ", ") }
        return fields
    }

    /// The body of the response.
    ///
    /// - Parameter instance: the path of the request; `nil` if it is not known or not a URI.
    package func body(instance: String?) -> ByteBuffer {
        var fields: [JSONText.Field] = [
            ("type", .string(type?.reference ?? "about:blank")),
            ("title", .string(type?.title ?? status.reasonPhrase)),
            ("status", .integer(status.code)),
        ]
        if let detail { fields.append(("detail", .string(detail))) }
        if let instance { fields.append(("instance", .string(instance))) }
        if let request = RequestIdentifier.current { fields.append(("requestId", .string(request.text))) }
        fields += members.map { ($0.name, $0.value) }
        if !issues.isEmpty { fields.append(("errors", .array(issues.map(Self.json)))) }
        return ByteBuffer(string: JSONText.object(fields).rendered)
    }
}
