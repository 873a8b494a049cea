import APIClient
import JSONDocument

/// Titles, as commands name them.
enum TitleKind: ItemKind {
    static let section = ServerClient.Section.titles
    static let noun = "title"
    static let nameHelp = "The title's ID, or its file in the media folder."

    static func id(of name: String, _ client: ServerClient) async throws -> String { try await client.titleID(name) }
    static func table(_ items: [JSONNode]) -> String { DetailTables.titles(items) }
}
