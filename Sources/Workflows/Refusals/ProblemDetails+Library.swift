import APIContract
package import HTTPEndpoints
import HTTPTypes
package import LibraryCore

extension ProblemDetails {
    /// The problem details of an operation that the library refused.
    package init(_ error: LibraryError) {
        let status: HTTPResponse.Status =
            switch error.code {
            case .noSuchFile, .notMedia, .unplayable: .unprocessableContent
            case .limitExceeded: .tooManyRequests
            // 507 is only for a lack of space (RFC 4918 §11.5); a read-only folder is forbidden (§9.3.1).
            case .readOnly: .forbidden
            case .storage: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
            case .notPossible: .conflict
            }
        self.init(status, error.reason, type: error.code == .readOnly ? .readOnly : nil)
    }
}

extension LibraryError: ReportedError {
    package var problem: ProblemDetails { ProblemDetails(self) }
}
