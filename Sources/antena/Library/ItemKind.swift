import APIClient
import APIContract

/// The items of one of the library's lists, for the commands that titles and tracks have in common.
protocol ItemKind {
    /// The fields of an item in lists.
    associatedtype Fields: ObjectFields
    associatedtype Details: ObjectFields
    /// A change of the details.
    associatedtype Change: ObjectFields

    static var noun: String { get }
    /// The ways in which a command takes an item.
    static var nameHelp: String { get }

    /// The ID of an item, given its name.
    static func id(of name: String, _ client: ServerClient) async throws -> String
    static func items(
        _ wanted: ServerClient.ListRequest, limit: Int, _ client: ServerClient
    ) async throws -> [APIObject<Fields>]
    static func table(_ items: [APIObject<Fields>]) -> String
    static func details(of id: String, _ client: ServerClient) async throws -> APIObject<Details>
    static func changeDetails(
        of id: String, _ change: APIObject<Change>, _ client: ServerClient
    ) async throws -> APIObject<Details>
}
