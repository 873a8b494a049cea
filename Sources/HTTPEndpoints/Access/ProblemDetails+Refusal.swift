import APIContract
package import HTTPTypes
import JSONDocument
package import MediaCore
import NIOHTTP1

extension ProblemDetails {
    /// Seconds after which a client asks again if a refusal does not say so.
    private static let usualDelay = 2

    /// The response to a request that a domain refuses.
    package init(_ refusal: Refusal) {
        self.init(refusal.code.status, refusal.reason, type: refusal.code.problem.type)
        issues = refusal.fields.map { .init(position: nil, field: $0, message: refusal.reason) }
        if let delay = refusal.retryAfter {
            headers[.retryAfter] = String(max(1, Int64(delay.seconds.rounded(.up))))
        } else if status == .serviceUnavailable {
            headers[.retryAfter] = String(Self.usualDelay)
        }
        if status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        members = refusal.facts.sorted { $0.key < $1.key }.map { name, fact in
            switch fact {
            case .number(let number): .init(name: name, value: .integer(Int(number)))
            case .text(let text): .init(name: name, value: .string(text))
            }
        }
    }
}

extension Refusal: ReportedError {
    package var problem: ProblemDetails { ProblemDetails(self) }
}

extension Refusal.Code {
    /// The status of HTTP responses with this code.
    package var status: HTTPResponse.Status {
        let status = problem.status
        return HTTPResponse.Status(
            code: status, reasonPhrase: HTTPResponseStatus(statusCode: status).reasonPhrase)
    }
}
