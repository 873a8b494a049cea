import APIContract
package import Catalogue
package import HTTPEndpoints
import HTTPTypes

extension CatalogueError: ReportedError {
    package var problem: ProblemDetails {
        switch code {
        case .invalidCursor: ProblemDetails(.unprocessableContent, reason, type: .cursorNotValid)
        case .changedMeanwhile: IfMatch.changedMeanwhile
        }
    }
}
