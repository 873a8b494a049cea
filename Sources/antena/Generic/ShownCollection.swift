import APIContract
import ArgumentParser

/// A collection of a server and what is in it, with the arguments that name it.
protocol ShownCollection: ParsableArguments {
    associatedtype Source: ItemSource = ServerOptions

    associatedtype Fields: ObjectFields
    associatedtype ItemFields: ObjectFields

    static var configuration: CommandConfiguration { get }
    /// The name of the member of the JSON that has what is in the collection.
    static var member: String { get }
    /// The text instead of a table without rows, such as "no tracks".
    static var nothing: String { get }

    func collection(_ access: Source.Access) async throws -> APIObject<Fields>
    func items(_ access: Source.Access) async throws -> [APIObject<ItemFields>]
    /// The line above the table.
    static func heading(_ collection: APIObject<Fields>) -> String
}
