import APIContract
import HTTPEndpoints
import Hummingbird
import HummingbirdCore
import LogMetadata
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// Answers HTTP requests at an address.
///
/// It does what Hummingbird's `Application` does, but for the clock of that one's `Date` field, which wakes the process
/// several times a second, also while nobody asks for anything. Here the text is made when a response needs it.
struct HTTPService: Service {
    let server: HTTPServerBuilder
    let responder: GatewayResponder
    let host: String
    let port: Int
    let group: MultiThreadedEventLoopGroup
    let logger: Logger
    /// Called with the listener when it accepts connections.
    let onStart: @Sendable (any Channel) async -> Void

    /// A request whose body cannot be parsed, which shows while its response is written.
    private struct BadRequestBody: Error {
        let cause: HTTPParserError
    }

    func run() async throws {
        let date = DateField()
        let service = try server.buildServer(
            configuration: HummingbirdCore.ServerConfiguration(address: .hostname(host, port: port)),
            eventLoopGroup: group, logger: logger
        ) { [responder, logger] request, writer, channel in
            var response = try await Self.answer(request, channel, responder, logger)
            response.headers[.date] = date.text
            response.headers[.server] = Product.name
            do {
                try await writer.write(response: response.head, body: response.body)
            } catch let error as HTTPParserError {
                // Hummingbird answers an error of the parser with a response of its own, which would be the second one.
                throw BadRequestBody(cause: error)
            }
        } onServerRunning: { [onStart] channel in
            await onStart(channel)
        }
        try await service.run()
    }

    private static func answer(
        _ request: Request, _ channel: any Channel, _ responder: GatewayResponder, _ logger: Logger
    ) async throws -> Response {
        let context = GatewayRequestContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        do {
            return try await responder.respond(to: request, context: context)
        } catch let error as HTTPParserError {
            throw error
        } catch {
            logger.error("an error without an answer", metadata: [.error: "\(error)"])
            return Response(status: .internalServerError)
        }
    }
}
