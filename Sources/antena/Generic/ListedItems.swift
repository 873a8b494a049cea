import APIClient
import ArgumentParser
import JSONDocument

/// A list of a server, with the options that choose what is in it.
protocol ListedItems: ParsableArguments {
    associatedtype Server: ClientOptions = ServerOptions

    static var configuration: CommandConfiguration { get }

    func items(_ client: ServerClient) async throws -> [JSONNode]
    static func table(_ items: [JSONNode]) -> String
}
