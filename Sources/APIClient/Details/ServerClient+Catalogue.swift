package import JSONDocument
import NIOHTTP1

/// The details and terms of titles, as a table.
extension ServerClient {
    /// Entries of an import.
    package enum CatalogueChange: Sendable {
        /// Comma-separated values with a header.
        case table(String)
        case items([JSONText])
    }

    /// Limit of an import: the server writes each title.
    private static let importTimeout = Duration.seconds(300)

    /// The details of all titles.
    package func catalogue() async throws -> [JSONNode] { try await list("/api/v1/catalogue") }

    /// Fetches the same as comma-separated values, piece by piece.
    package func catalogueTable(_ body: ([UInt8]) throws -> Void) async throws {
        try await pieces(of: "/api/v1/catalogue?format=csv", body)
    }

    /// Changes what the entries say differently.
    ///
    /// - Parameters:
    ///   - change: the entries, as many as a request may have.
    ///   - isTrial: whether the server only says what would change.
    /// - Returns: the report.
    /// - Throws: ``ServerClientError``
    package func changeCatalogue(_ change: CatalogueChange, isTrial: Bool) async throws -> JSONNode {
        let path = "/api/v1/catalogue\(isTrial ? "?trial=true" : "")"
        return switch change {
        case .table(let table):
            try await send(
                .POST, path, Array(table.utf8), type: "text/csv; charset=utf-8", timeout: Self.importTimeout)
        case .items(let items):
            try await send(.POST, path, .object([("items", .array(items))]), timeout: Self.importTimeout)
        }
    }
}
