import Events
import HTTPEndpoints
import HTTPTypes

extension EventSubject {
    /// Parses a kind and a name, such as `channel/canalA`.
    ///
    /// - Parameters:
    ///   - text: a text from a client.
    ///   - field: the name of the parameter or field, for the error.
    /// - Throws: `ProblemDetails` with 422.
    init(parsing text: String, of field: String) throws(ProblemDetails) {
        let parts = text.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else {
            let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ProblemDetails(
                .unprocessableContent, "\"\(field)\" must be a kind and a name, such as channel/canalA: \(kinds)")
        }
        self.init(kind, String(parts[1]))
    }
}
