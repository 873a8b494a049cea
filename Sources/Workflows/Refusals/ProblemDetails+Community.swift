import APIContract
package import Community
package import HTTPEndpoints
import HTTPTypes
import JSONDocument

extension ProblemDetails {
    /// The response to a request to the community that cannot be carried out.
    package init(_ error: CommunityError) {
        let (status, type): (HTTPResponse.Status, ProblemType?) =
            switch error.code {
            case .notFound: (.notFound, nil)
            case .loginNeeded: (.unauthorized, nil)
            case .notAllowed: (.forbidden, nil)
            case .missingFields, .invalidField: (.unprocessableContent, nil)
            case .invalidCursor: (.unprocessableContent, .cursorNotValid)
            case .changedMeanwhile: (.preconditionFailed, nil)
            case .conflict: (.conflict, nil)
            case .tooMany: (.conflict, .tooMany)
            case .tooOften: (.tooManyRequests, nil)
            }
        self.init(status, error.reason, type: type)
        if let field = error.field { issues = [.init(position: nil, field: field, message: error.reason)] }
        if case .tooOften(let seconds) = error.code { headers[.retryAfter] = String(seconds) }
        if status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
    }
}

extension CommunityError: ReportedError {
    package var problem: ProblemDetails { ProblemDetails(self) }
}
