import APIContract
import ArgumentParser

/// A thing of a server, with the arguments that name it.
protocol ShownItem: ParsableArguments {
    associatedtype Source: ItemSource = ServerOptions

    associatedtype Fields: ObjectFields

    static var configuration: CommandConfiguration { get }

    func item(_ access: Source.Access) async throws -> APIObject<Fields>
    static func text(_ item: APIObject<Fields>) -> String
}
