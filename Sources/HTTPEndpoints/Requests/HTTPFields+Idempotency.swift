package import HTTPTypes
import Idempotency

extension HTTPFields {
    private static let keyName = HTTPField.Name("Idempotency-Key")
    private static let replayedName = HTTPField.Name("Idempotency-Replayed")

    /// The value of `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header §2.1).
    var idempotencyKey: String? { Self.keyName.flatMap { self[$0] } }

    /// The key of a request whose handler keeps it itself; `nil` without one.
    ///
    /// - Throws: ``ProblemDetails`` with 400 if it is not valid.
    package func checkedIdempotencyKey() throws -> String? {
        guard let field = idempotencyKey else { return nil }
        guard let key = IdempotentRequest.key(parsing: field) else {
            throw ProblemDetails(
                .badRequest,
                "an Idempotency-Key has 1 to \(IdempotentRequest.maximumKeyByteCount) visible ASCII characters")
        }
        return key
    }

    /// Says that the response is the one that the first request with the key had.
    package mutating func noteReplay() {
        if let name = Self.replayedName { self[name] = "true" }
    }
}
