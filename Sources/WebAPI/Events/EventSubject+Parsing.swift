import Events
import HTTPEndpoints
import HTTPTypes
import Webhooks

extension EventSubject {
    /// Parses a kind and a name, such as `channel/canalA`.
    ///
    /// - Parameters:
    ///   - text: a text from a client.
    ///   - kinds: the kinds that there are.
    ///   - field: the name of the parameter or field, for the error.
    /// - Throws: `ProblemDetails` with 422.
    init(parsing text: String, among kinds: EventKinds, of field: String) throws(ProblemDetails) {
        let parts = text.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, let kind = kinds.subjects.first(where: { $0.rawValue == parts[0] }) else {
            let kinds = kinds.subjects.map(\.rawValue).joined(separator: ", ")
            throw ProblemDetails(
                .unprocessableContent, "\"\(field)\" must be a kind and a name, such as channel/canalA: \(kinds)")
        }
        self.init(kind, String(parts[1]))
    }
}
