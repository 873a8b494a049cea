import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Sets up connections of HTTP/1.1. Hummingbird's own channel begins a task for each connection when it is accepted;
/// this one with the first request for the router (`RouterEntryHandler`).
struct PlainHTTPChannel: ServerChildChannel {
    private let configuration: HTTP1Channel.Configuration
    private let http1: HTTP1Channel
    private let tasks: RouterTasks
    private let webSocket: WebSocketUpgrade?
    private let isSecure: Bool

    init(
        responder: @escaping HTTPChannelHandler.Responder, configuration: HTTPConnectionConfiguration,
        isSecure: Bool = false
    ) {
        (webSocket, self.isSecure) = (configuration.webSocket, isSecure)
        self.configuration = configuration.http1
        http1 = HTTP1Channel(responder: responder, configuration: configuration.http1)
        tasks = configuration.tasks
    }

    struct Value: ServedLater {
        let channel: any Channel
        let started: EventLoopFuture<RouterEntryHandler.Started>

        var served: EventLoopFuture<Void> { started.map { _ in } }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let started = channel.eventLoop.makePromise(of: RouterEntryHandler.Started.self)
            let pipeline = channel.pipeline.syncOperations
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = configuration.httpDecoder.maxHeaderFieldSize
            limits.maxHeaderListSize = configuration.httpDecoder.maxHeaderListSize
            limits.maxHeaderFieldCount = configuration.httpDecoder.maxHeaderFieldCount
            do {
                try pipeline.configureHTTPServerPipeline(
                    withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
                    withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
                try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
                try pipeline.addHandlers(configuration.additionalChannelHandlers())
                try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: nil, logger: logger))
                if let webSocket {
                    try pipeline.addHandler(WebSocketEntryHandler(upgrade: webSocket, isSecure: isSecure))
                }
                try pipeline.addHandler(RouterEntryHandler(started: started, isStream: false, tasks: tasks))
            } catch {
                started.fail(error)
                throw error
            }
            return Value(channel: channel, started: started.futureResult)
        }
    }

    func handle(value: Value, logger: Logger) async {
        let started = await withTaskCancellationHandler {
            try? await value.started.get()
        } onCancel: {
            value.channel.close(promise: nil)
        }
        guard let started else { return }
        started.task.attend()
        await http1.handle(value: started.value, logger: logger)
        started.task.end()
    }
}
