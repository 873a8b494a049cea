import HTTPEndpoints
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import RTMPServer
import RTSPServer

/// Sets up connections of the port that speaks RTSP, RTMP and HTTP, which apps written for Wowza expect on port 1935.
struct SharedPortChannel: ServerChildChannel {
    let http: PlainHTTPChannel
    let rtsp: RTSPServer
    let rtmp: RTMPServer
    let connections: HTTPConnectionRegistry

    struct Value: ServedLater {
        let channel: any Channel
        /// The HTTP connection; `nil` if the connection speaks RTSP or RTMP, which their servers handle.
        let http: EventLoopFuture<PlainHTTPChannel.Value?>

        var served: EventLoopFuture<Void> {
            http.flatMap { http in http?.served ?? channel.eventLoop.makeFailedFuture(ServedByOthers()) }
        }

        private struct ServedByOthers: Error {}
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let decided = channel.eventLoop.makePromise(of: SpokenProtocol.self)
        let httpValue = channel.eventLoop.makePromise(of: PlainHTTPChannel.Value?.self)
        decided.futureResult.whenFailure { httpValue.fail($0) }
        return channel.eventLoop.makeCompletedFuture {
            let counted = try connections.admit(channel)
            try channel.pipeline.syncOperations.addHandler(
                ProtocolDetectionHandler(decided: decided) { [http, rtsp, rtmp] spoken, channel in
                    switch spoken {
                    case .http:
                        try channel.pipeline.syncOperations.addHandler(ConnectionTakeover { counted.move(to: $0) })
                        httpValue.completeWith(http.setup(channel: channel, logger: logger).map { $0 })
                    case .rtsp:
                        // The RTSP server counts the connection from here on.
                        counted.release()
                        try rtsp.accept(channel)
                        httpValue.succeed(nil)
                    case .rtmp:
                        counted.release()
                        try rtmp.accept(channel)
                        httpValue.succeed(nil)
                    }
                })
            return Value(channel: channel, http: httpValue.futureResult)
        }
    }

    func handle(value: Value, logger: Logger) async {
        // A connection that sends nothing, or speaks none of the protocols, has been closed by then.
        if let httpChannel = try? await value.http.get() {
            await http.handle(value: httpChannel, logger: logger)
        } else {
            try? await value.channel.closeFuture.get()
        }
    }
}
