import APIClient
import JSONDocument

/// The items of one of the library's lists, for the commands that titles and tracks have in common.
protocol ItemKind {
    static var section: ServerClient.Section { get }
    static var noun: String { get }
    /// The ways in which a command takes an item.
    static var nameHelp: String { get }

    /// The ID of an item, given its name.
    static func id(of name: String, _ client: ServerClient) async throws -> String
    static func table(_ items: [JSONNode]) -> String
}
