import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import RTSPServer

/// Connections of the port that speaks both RTSP and HTTP, as apps written against Wowza expect of port 1935.
struct SharedPortChannel: ServerChildChannel {
    let http: HTTP1Channel
    let rtsp: RTSPServer
    let connections: HTTPConnectionRegistry

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        /// `nil` for a connection that speaks RTSP, which needs nobody to look after it.
        let http: EventLoopFuture<HTTP1Channel.Value?>
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let decided = channel.eventLoop.makePromise(of: SpokenProtocol.self)
        let httpValue = channel.eventLoop.makePromise(of: HTTP1Channel.Value?.self)
        decided.futureResult.whenFailure { httpValue.fail($0) }
        return channel.eventLoop.makeCompletedFuture {
            let counted = try connections.admit(channel)
            try channel.pipeline.syncOperations.addHandler(
                ProtocolDetectionHandler(decided: decided) { [http, rtsp] spoken, channel in
                    switch spoken {
                    case .http: httpValue.completeWith(http.setup(channel: channel, logger: logger).map { $0 })
                    case .rtsp:
                        // Counted by the RTSP server from here on.
                        counted.release()
                        try rtsp.accept(channel)
                        httpValue.succeed(nil)
                    }
                })
            return Value(channel: channel, http: httpValue.futureResult)
        }
    }

    func handle(value: Value, logger: Logger) async {
        // A connection that says nothing, or what is neither, has been closed by then.
        if let httpChannel = try? await value.http.get() {
            await http.handle(value: httpChannel, logger: logger)
        } else {
            try? await value.channel.closeFuture.get()
        }
    }
}
