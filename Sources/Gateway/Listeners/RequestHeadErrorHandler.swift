import HTTPEndpoints
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Tells an HTTP/1.1 client what was wrong with a request that cannot be parsed. Hummingbird answers 400 without a
/// body; this handler puts problem details (RFC 9457) with the right status into that response.
///
/// It follows the codec, and adds a handler before it that measures the request line, because the decoder reports an
/// overlong URL and overlong header fields as the same error.
final class RequestHeadErrorHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: HTTPRequestLimits
    private let requestLine: RequestLineWatch
    /// The problem that ends the connection; `nil` until it occurs.
    private var problem: ProblemDetails?

    /// - Parameter limits: the limits of the decoder.
    init(limits: HTTPRequestLimits) {
        self.limits = limits
        requestLine = RequestLineWatch(maximumByteCount: limits.headerFieldByteCount)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        // HTTP/2 streams do not have this decoder.
        let pipeline = context.pipeline.syncOperations
        guard let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) else { return }
        try? pipeline.addHandler(requestLine, position: .before(decoder))
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        guard let watch = try? pipeline.context(handler: requestLine) else { return }
        pipeline.removeHandler(context: watch, promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) { requestLine.begin() }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? HTTPParserError {
            problem = problem(of: error)
        }
        context.fireErrorCaught(error)
    }

    private func problem(of error: HTTPParserError) -> ProblemDetails {
        guard error == .headerOverflow else {
            return ProblemDetails(.badRequest, "the request is not valid HTTP/1.1: \(error.debugDescription)")
        }
        let limit = "\(limits.headerFieldByteCount / 1024) KiB"
        if requestLine.isTooLong { return ProblemDetails(.uriTooLong, "URLs are limited to \(limit)") }
        return ProblemDetails(
            .requestHeaderFieldsTooLarge,
            "header fields are limited to \(limit) each, \(limits.headerListByteCount / 1024) KiB together and "
                + "\(limits.headerFieldCount) in number")
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

/// Measures the request line.
private final class RequestLineWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let maximumByteCount: Int
    private var isComplete = false
    private var byteCount = 0

    /// - Parameter maximumByteCount: length of a line that is too long.
    init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    var isTooLong: Bool { byteCount > maximumByteCount }

    /// Starts the measurement of the next request. A pipelined request in the same read is measured from the next read
    /// on; the only consequence is that the response to an overlong head may name the wrong limit.
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
