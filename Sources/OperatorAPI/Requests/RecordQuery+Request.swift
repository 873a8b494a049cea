import Catalogue
import HTTPEndpoints
import Hummingbird

extension RecordQuery {
    /// The query parameters `q`, `sort` and `state` of a request for a list.
    ///
    /// - Throws: ``ProblemDetails`` with status 400 if a parameter is not valid.
    init(_ request: Request, _ page: PageRequest, visible: RecordVisibility?) throws {
        self.init(
            matching: page.query, order: try Self.choice("sort", in: request) ?? .title,
            state: try Self.choice("state", in: request), visible: visible)
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, in request: Request
    ) throws -> Choice? {
        guard let text = PageRequest.value(of: name, in: request) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let allowed = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw ProblemDetails(.badRequest, "\"\(name)\" must be one of \(allowed)")
        }
        return choice
    }
}
