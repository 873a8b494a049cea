import APIClient
import APIContract
import ArgumentParser

/// A list of a server, with the options that choose what is in it.
protocol ListedItems: ParsableArguments {
    associatedtype Server: ClientOptions = ServerOptions

    associatedtype Fields: ObjectFields

    static var configuration: CommandConfiguration { get }
    /// The text instead of a table without rows, such as "no announcements".
    static var nothing: String { get }

    func items(_ client: ServerClient) async throws -> [APIObject<Fields>]
    /// The table, which has the columns that are declared unless a list needs others.
    static func table(_ items: [APIObject<Fields>]) -> String
}

extension ListedItems {
    static func table(_ items: [APIObject<Fields>]) -> String { ObjectTable.text(items, nothing: nothing) }
}
