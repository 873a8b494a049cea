package import APIContract
package import APIDeclarations
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
    package func catalogue() async throws -> [APIObject<CatalogueEntryFields>] {
        try await items(InterchangeAPI.exportCatalogue)
    }

    /// Fetches the same as comma-separated values, piece by piece.
    package func catalogueTable(_ body: ([UInt8]) throws -> Void) async throws {
        try await pieces(of: Self.path(of: InterchangeAPI.exportCatalogue, [], query: [("format", "csv")]), body)
    }

    /// Changes what the entries say differently.
    ///
    /// - Parameters:
    ///   - change: the entries, as many as a request may have.
    ///   - isTrial: whether the server only says what would change.
    /// - Returns: the report.
    /// - Throws: ``ServerClientError``
    package func changeCatalogue(
        _ change: CatalogueChange, isTrial: Bool
    ) async throws -> APIObject<CatalogueImportFields> {
        let query: [(name: String, value: String?)] = [("trial", isTrial ? "true" : nil)]
        switch change {
        case .table(let table):
            let report = try await send(
                .POST, Self.path(of: InterchangeAPI.importCatalogue, [], query: query), Array(table.utf8),
                type: "text/csv; charset=utf-8", timeout: Self.importTimeout)
            return try value(report)
        case .items(let items):
            return try await send(
                InterchangeAPI.importCatalogue, query: query,
                body: CatalogueTableFields.request { [$0.items(json: .array(items))] }, timeout: Self.importTimeout)
        }
    }
}
