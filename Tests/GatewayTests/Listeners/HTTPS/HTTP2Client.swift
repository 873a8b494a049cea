import GatewayTestSupport
import HTTPTypes
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2
import NIOPosix
import NIOSSL

@testable import Gateway

/// An HTTP/2 client with any number of concurrent requests on one connection.
struct HTTP2Client: Sendable {
    let channel: any Channel
    /// Connection frames such as SETTINGS and GOAWAY; the stream ends with the connection.
    let connectionFrames: AsyncStream<HTTP2Frame.FramePayload>
    private let multiplexer: NIOHTTP2Handler.AsyncStreamMultiplexer<Void>

    static func connect(to port: Int) async throws -> HTTP2Client {
        let (frames, continuation) = AsyncStream.makeStream(of: HTTP2Frame.FramePayload.self)
        let context = try TestTLS.clientContext(protocols: ["h2"])
        let (channel, multiplexer) = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(try NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                    let multiplexer = try pipeline.configureAsyncHTTP2Pipeline(mode: .client) { stream in
                        stream.eventLoop.makeSucceededVoidFuture()
                    }
                    try pipeline.addHandler(ConnectionFrameReader(frames: continuation))
                    return (channel, multiplexer)
                }
            }
        return HTTP2Client(channel: channel, connectionFrames: frames, multiplexer: multiplexer)
    }

    func send(
        _ path: String, method: HTTPRequest.Method = .get, fields: HTTPFields = [:]
    ) async throws -> ReceivedAnswer {
        let stream = try await multiplexer.openStream { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTPClientCodec())
                return try NIOAsyncChannel<HTTPResponsePart, HTTPRequestPart>(wrappingChannelSynchronously: stream)
            }
        }
        return try await stream.executeThenClose { inbound, outbound in
            let request = HTTPRequest(
                method: method, scheme: "https", authority: "localhost", path: path, headerFields: fields)
            try await outbound.write(contentsOf: [.head(request), .end(nil)])
            var parts: [HTTPResponsePart] = []
            for try await part in inbound { parts.append(part) }
            guard let answer = ReceivedAnswer.answers(parts).first, answer.isComplete else { throw NoAnswer() }
            return answer
        }
    }

    struct NoAnswer: Error {}

    /// The codes of all GOAWAY frames until the connection ends.
    func goAways() async -> [NIOHTTP2.HTTP2ErrorCode] {
        var codes: [NIOHTTP2.HTTP2ErrorCode] = []
        for await frame in connectionFrames {
            if case .goAway(_, let code, _) = frame { codes.append(code) }
        }
        return codes
    }
}

private final class ConnectionFrameReader: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    private let frames: AsyncStream<HTTP2Frame.FramePayload>.Continuation

    init(frames: AsyncStream<HTTP2Frame.FramePayload>.Continuation) { self.frames = frames }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { frames.yield(unwrapInboundIn(data).payload) }

    func channelInactive(context: ChannelHandlerContext) {
        frames.finish()
        context.fireChannelInactive()
    }
}

enum TestTLS {
    /// A TLS context that accepts any certificate.
    static func clientContext(
        protocols: [String] = [], from minimum: TLSVersion = .tlsv12, to maximum: TLSVersion = .tlsv13,
        ciphers: [NIOTLSCipher] = []
    ) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.applicationProtocols = protocols
        configuration.minimumTLSVersion = minimum
        configuration.maximumTLSVersion = maximum
        if !ciphers.isEmpty { configuration.cipherSuiteValues = ciphers }
        return try NIOSSLContext(configuration: configuration)
    }
}
