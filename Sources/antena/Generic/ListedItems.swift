import ArgumentParser

/// A list, with the options that choose what is in it.
protocol ListedItems: ParsableArguments {
    associatedtype Source: ItemSource = ServerOptions

    associatedtype Item: ListedItem

    static var configuration: CommandConfiguration { get }
    /// The text instead of a table without rows, such as "no announcements".
    static var nothing: String { get }

    func items(_ access: Source.Access) async throws -> [Item]
    /// The table, which has the columns that are declared unless a list needs others.
    static func table(_ items: [Item]) -> String
}

extension ListedItems where Item: TabulatedItem {
    static func table(_ items: [Item]) -> String { Item.table(items, nothing: nothing) }
}
