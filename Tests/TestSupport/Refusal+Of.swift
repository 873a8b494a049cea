package import MediaCore

extension Refusal {
    /// The refusal that a call ends with; `nil` if it ends without one, or with another error.
    package static func of(_ body: () async throws -> some Any) async -> Refusal? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? Refusal
        }
    }
}
