import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Tells a client of HTTP/1.1 what was wrong with a request that cannot be parsed. Hummingbird answers 400 without a body;
/// this handler puts a problem (RFC 9457) with the right status into that answer.
///
/// It stands behind the codec, and has a watch before it that measures the request line: the decoder
/// reports an overlong URL and overlong header fields as the same error.
final class RequestHeadErrorHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let requestLine = RequestLineWatch()
    /// Set by the error that ends the connection.
    private var problem: ProblemDetails?

    func handlerAdded(context: ChannelHandlerContext) {
        // Streams of HTTP/2 have no such decoder.
        let pipeline = context.pipeline.syncOperations
        guard let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) else { return }
        try? pipeline.addHandler(requestLine, position: .before(decoder))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) { requestLine.begin() }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? HTTPParserError {
            problem = Self.problem(error, isLineTooLong: requestLine.isTooLong)
        }
        context.fireErrorCaught(error)
    }

    private static func problem(_ error: HTTPParserError, isLineTooLong: Bool) -> ProblemDetails {
        guard error == .headerOverflow else {
            return ProblemDetails(.badRequest, "the request is not valid HTTP/1.1: \(error.debugDescription)")
        }
        let limit = "\(HTTPLimits.headerFieldByteCount / 1024) KiB"
        if isLineTooLong { return ProblemDetails(.uriTooLong, "URLs are limited to \(limit)") }
        return ProblemDetails(
            .requestHeaderFieldsTooLarge,
            "header fields are limited to \(limit) each, \(HTTPLimits.headerListByteCount / 1024) KiB together and "
                + "\(HTTPLimits.headerFieldCount) in number")
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard let problem else { return context.write(data, promise: promise) }
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status == .badRequest && head.headerFields[.contentLength] == "0":
            let body = problem.body(instance: nil)
            var headers = problem.fields
            headers[.connection] = "close"
            headers[.contentLength] = "\(body.readableBytes)"
            context.write(
                wrapOutboundOut(.head(HTTPResponse(status: problem.status, headerFields: headers))), promise: nil)
            context.write(wrapOutboundOut(.body(body)), promise: promise)
        default: context.write(data, promise: promise)
        }
    }
}

/// Measures the line that a request begins with.
private final class RequestLineWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var isComplete = false
    private var byteCount = 0

    var isTooLong: Bool { byteCount > HTTPLimits.headerFieldByteCount }

    /// Called when a request has ended. A next one in the same read counts as begun with the next read; so the only thing
    /// that can be wrong is which limit an overlong head behind another request is said to have passed.
    func begin() {
        isComplete = false
        byteCount = 0
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isComplete {
            let bytes = unwrapInboundIn(data).readableBytesView
            let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
            isComplete = end != nil
            byteCount += bytes.distance(from: bytes.startIndex, to: end ?? bytes.endIndex)
        }
        context.fireChannelRead(data)
    }
}
