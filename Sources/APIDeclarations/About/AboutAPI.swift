package import APIContract
package import JSONDocument

/// The operations of the API for about.
package enum AboutAPI {
    package static let getAbout = APIOperation(
        .get, "/api/v1/about", "getAbout", "The program, and the share of live channels, titles and tracks",
        answer: .object(AboutFields.self, "About"))

    package static let getDocumentation = APIOperation(
        .get, "/api/v1/docs", "getDocumentation", "This description as a page, and the types of problems",
        answer: .content("A page in the visitor's language", APIContent("text/html", String.self)))

    package static let getDescription = APIOperation(
        .get, "/api/v1/openapi.json", "getDescription", "This description",
        answer: .value(JSONText.self, "OpenAPI 3.1", [.schema(.type("object"))]))
}
