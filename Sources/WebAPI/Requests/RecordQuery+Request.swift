import Catalogue
import HTTPEndpoints
import Hummingbird

extension RecordQuery {
    /// The query parameters `q`, `sort` and `state` of a request for a list.
    ///
    /// - Throws: `ProblemDetails` with status 400 if a parameter is not valid.
    init(_ request: Request, _ page: PageRequest, visible: RecordVisibility?) throws {
        self.init(
            matching: page.query, order: try PageRequest.choice("sort", in: request) ?? .title,
            state: try PageRequest.choice("state", in: request), visible: visible)
    }
}
