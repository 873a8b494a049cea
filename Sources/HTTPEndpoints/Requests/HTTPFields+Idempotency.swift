import HTTPTypes

extension HTTPFields {
    private static let keyName = HTTPField.Name("Idempotency-Key")
    private static let replayedName = HTTPField.Name("Idempotency-Replayed")

    /// The value of `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header §2.1).
    var idempotencyKey: String? { Self.keyName.flatMap { self[$0] } }

    /// Says that the response is the one that the first request with the key had.
    mutating func noteReplay() {
        if let name = Self.replayedName { self[name] = "true" }
    }
}
