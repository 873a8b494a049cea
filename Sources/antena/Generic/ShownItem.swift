import APIClient
import ArgumentParser
import JSONDocument

/// A thing of a server, with the arguments that name it.
protocol ShownItem: ParsableArguments {
    associatedtype Server: ClientOptions = ServerOptions

    static var configuration: CommandConfiguration { get }

    func item(_ client: ServerClient) async throws -> JSONNode
    static func text(_ item: JSONNode) -> String
}
