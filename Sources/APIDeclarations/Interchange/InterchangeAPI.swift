package import APIContract
import JSONDocument
import MediaCore

/// The operations of the API for interchange.
package enum InterchangeAPI {
    package static let exportCatalogue = APIOperation(
        .get, "/api/v1/catalogue", "exportCatalogue", "What is written about titles, and their terms, as a table",
        "JSON is a list in pages; CSV (RFC 4180) has all titles at once. Both can be sent back after a change.",
        parameters: [
            .limit, .cursor,
            .query(
                Field<String>(
                    "format", "form of the answer", .optional, .oneOf("json", "csv"), .standard(.string("json")))),
        ], answer: .page(of: CatalogueEntryFields.self, "Titles", also: [APIContent("text/csv", String.self)])
    )
    .refusing(.invalidCursor)
    .failing(with: APIProblem(422, .notValid))

    package static let importCatalogue = APIOperation(
        .post, "/api/v1/catalogue", "importCatalogue",
        "Change what is written about titles, and their terms, from a table",
        "Each entry names its title by `id`, or by `file`. What it says differently is changed; a member that is missing, and an empty cell of a table, change nothing; null takes back what was chosen. An entry that cannot be used does not keep the others from being used. The same import again changes nothing.",
        parameters: [
            .query(
                Field<String>(
                    "trial", "whether the answer only says what would change", .optional, .oneOf("true", "false"),
                    .standard(.string("false")))), .idempotencyKey,
        ],
        body: APIBody(
            .json(CatalogueTableFields.self),
            APIContent("text/csv", String.self, [.minimumLength(2), .example("id,price\ngarden,5\n")])),
        answer: .object(CatalogueImportFields.self, "What has become of the entries")
    )
    .refusing(.keyOfAnotherRequest)
    .failing(with: APIProblem(409, .requestInProgress))
}
