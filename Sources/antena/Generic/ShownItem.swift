import APIClient
import APIContract
import ArgumentParser

/// A thing of a server, with the arguments that name it.
protocol ShownItem: ParsableArguments {
    associatedtype Server: ClientOptions = ServerOptions

    associatedtype Fields: ObjectFields

    static var configuration: CommandConfiguration { get }

    func item(_ client: ServerClient) async throws -> APIObject<Fields>
    static func text(_ item: APIObject<Fields>) -> String
}
