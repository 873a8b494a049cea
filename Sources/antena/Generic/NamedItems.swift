import APIClient
import ArgumentParser

/// Things of a server to which the same is done one after the other, such as deleting them.
protocol NamedItems: ParsableArguments {
    associatedtype Server: ClientOptions = ServerOptions

    static var configuration: CommandConfiguration { get }
    /// The past participle that a line says of each, such as "deleted".
    static var result: String { get }

    /// The IDs or names of the things.
    var ids: [String] { get }

    func apply(to id: String, _ client: ServerClient) async throws
}
