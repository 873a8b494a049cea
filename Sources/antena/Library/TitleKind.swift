import APIClient
import APIContract
import APIDeclarations

/// Titles, as commands name them.
enum TitleKind: ItemKind {
    static let noun = "title"
    static let nameHelp = "The title's ID, or its file in the media folder."

    static func id(of name: String, _ client: ServerClient) async throws -> String { try await client.titleID(name) }

    static func items(
        _ wanted: ServerClient.ListRequest, limit: Int, _ client: ServerClient
    ) async throws -> [APIObject<ListedTitleFields>] {
        try await client.titles(wanted, limit: limit)
    }

    static func table(_ items: [APIObject<ListedTitleFields>]) -> String { DetailTables.titles(items) }

    static func details(of id: String, _ client: ServerClient) async throws -> APIObject<TitleDetailsFields> {
        try await client.details(ofTitle: id)
    }

    static func changeDetails(
        of id: String, _ change: APIObject<TitleDetailsChangeFields>, _ client: ServerClient
    ) async throws -> APIObject<TitleDetailsFields> {
        try await client.changeDetails(ofTitle: id, change)
    }
}
