import APIContract
import HTTPEndpoints
import Hummingbird
import HummingbirdCore
import LogMetadata
import Logging
import MediaCore
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import RTSPServer
import ServiceLifecycle
import StreamConnections

/// Answers HTTP requests at an address.
///
/// Like Hummingbird's `Application` and `Server`, with two differences. Hummingbird's clock for the `Date` field wakes
/// an idle process several times a second; here the text is made when a response needs it. Hummingbird moves each
/// connection from its event loop to that of the listener and to a task; here a connection stays where it is until it
/// needs a task (`ServedLater`).
struct HTTPService<Child: ServerChildChannel>: Service where Child.Value: ServedLater {
    /// Sets up connections, given what answers requests.
    let child: @Sendable (@escaping HTTPChannelHandler.Responder) -> Child
    let responder: GatewayResponder
    let host: String
    let port: Int
    let group: MultiThreadedEventLoopGroup
    let logger: Logger
    /// Called with the listener when it accepts connections.
    let onStart: @Sendable (any Channel) async -> Void

    func run() async throws {
        let child = child(respond)
        let (connections, continuation) = AsyncStream.makeStream(of: Child.Value.self)
        let ending = ServerQuiescingHelper(group: group)
        let listener = try await bind(child, ending) { continuation.yield($0) }
        let end = listener.eventLoop.makePromise(of: Void.self)
        end.futureResult.whenComplete { _ in continuation.finish() }
        await onStart(listener)
        await withTaskCancellationOrGracefulShutdownHandler {
            // Bounded by the places of connections.
            await withDiscardingTaskGroup { [logger] group in
                for await connection in connections {
                    group.addTask { await child.handle(value: connection, logger: logger) }
                }
            }
        } onCancelOrGracefulShutdown: {
            ending.initiateShutdown(promise: end)
        }
    }

    private func bind(
        _ child: Child, _ ending: ServerQuiescingHelper, serve: @escaping @Sendable (Child.Value) -> Void
    ) async throws -> any Channel {
        try await ServerBootstrap.accepting(for: group)
            .listening { [logger] error in
                logger.warning(
                    "connections cannot be accepted at the moment; will retry", metadata: [.error: "\(error)"])
            } initialize: { channel in
                try channel.pipeline.syncOperations.addHandler(ending.makeServerChannelHandler(channel: channel))
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { [logger] channel in
                child.setup(channel: channel, logger: logger).map { value in
                    value.served.whenSuccess { serve(value) }
                }
            }
            .bind(host: host, port: port).get()
    }

    /// The responder for the requests of a connection.
    private var respond: HTTPChannelHandler.Responder {
        let date = DateField()
        return { [responder, logger] request, writer, channel in
            var response = try await Self.answer(request, channel, responder, logger)
            response.headers[.date] = date.text
            response.headers[.server] = Product.name
            do {
                try await writer.write(response: response.head, body: response.body)
            } catch let error as HTTPParserError {
                // Hummingbird answers an error of the parser with a response of its own, which would be the second one.
                throw BadRequestBody(cause: error)
            }
        }
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
            logger.error("request failed with an unhandled error", metadata: [.error: "\(error)"])
            return Response(status: .internalServerError)
        }
    }
}

/// A request whose body cannot be parsed, which shows while its response is written.
private struct BadRequestBody: Error {
    let cause: HTTPParserError
}
