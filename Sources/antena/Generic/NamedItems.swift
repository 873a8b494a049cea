import ArgumentParser

/// Things to which the same is done one after the other, such as deleting them.
protocol NamedItems: ParsableArguments {
    associatedtype Source: ItemSource = ServerOptions

    static var configuration: CommandConfiguration { get }
    /// The past participle that a line says of each, such as "deleted".
    static var result: String { get }

    /// The IDs or names of the things.
    var ids: [String] { get }

    /// The ID of a thing that may have been named in another way.
    func id(of name: String, _ access: Source.Access) async throws -> String
    func apply(to id: String, _ access: Source.Access) async throws
}

extension NamedItems {
    func id(of name: String, _ access: Source.Access) async throws -> String { name }
}
