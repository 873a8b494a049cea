import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Sets up connections of HTTP/1.1. Hummingbird's own channel begins a task for each connection when it is accepted;
/// this one with the first request for the router (``RouterEntryHandler``).
struct PlainHTTPChannel: ServerChildChannel {
    private let configuration: HTTP1Channel.Configuration
    private let http1: HTTP1Channel

    init(responder: @escaping HTTPChannelHandler.Responder, configuration: HTTPConnectionConfiguration) {
        self.configuration = configuration.http1
        http1 = HTTP1Channel(responder: responder, configuration: configuration.http1)
    }

    struct Value: ServedLater {
        let channel: any Channel
        let started: EventLoopFuture<HTTP1Channel.Value>

        var served: EventLoopFuture<Void> { started.map { _ in } }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let started = channel.eventLoop.makePromise(of: HTTP1Channel.Value.self)
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
                try pipeline.addHandler(RouterEntryHandler(started: started, isStream: false))
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
        if let started { await http1.handle(value: started, logger: logger) }
    }
}
