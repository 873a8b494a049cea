import HTTPTypes
import MediaCore
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Counts what the requests of a connection (with HTTP/2, of a stream) take in memory, and refuses those for which
/// there is no room (`RequestBudget`). It follows the HTTP codec in the pipeline.
///
/// Answers from media that pass the codec are counted, too; those that go past it take only what all viewers share.
final class RequestAccountHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum Source {
        /// A connection, whose account is made when it is needed.
        case budget(RequestBudget)
        /// A stream, with the account of its connection.
        case account(RequestAccount)
    }

    private var source: Source
    private let isStream: Bool
    /// Bytes counted for the current request.
    private var requestByteCount = 0
    /// Bytes received of the current body.
    private var bodyByteCount = 0
    /// Bytes received of the current body when the client last got on.
    private var progressByteCount = 0
    private var takesUpload = false
    /// True if the whole of the current request has come. Until then an answer frees nothing: what serves the request
    /// waits for its rest.
    private var isComplete = true
    private var isAnswered = false
    /// Bytes of answers that have not left the server.
    private var unsentByteCount = 0
    private var isRefused = false
    /// Counts heads of HTTP/1.1 that are not complete; `nil` with HTTP/2, where the connection has one.
    private var partialHead: PartialHeadHandler?

    /// A client that has sent so much of an upload gets on.
    private static let uploadProgressByteCount = 16 << 10

    /// - Parameter budget: the budget of all connections.
    init(budget: RequestBudget) { (source, isStream) = (.budget(budget), false) }

    /// - Parameter account: the account of the connection of a stream.
    init(account: RequestAccount) { (source, isStream) = (.account(account), true) }

    func handlerAdded(context: ChannelHandlerContext) {
        // HTTP/2 streams do not have this decoder.
        let pipeline = context.pipeline.syncOperations
        guard let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) else { return }
        let watch = PartialHeadHandler(isHTTP2: false) { [self] in account(context) }
        try? pipeline.addHandler(watch, position: .before(decoder))
        partialHead = watch
    }

    private func account(_ context: ChannelHandlerContext) -> RequestAccount {
        switch source {
        case .account(let account): return account
        case .budget(let budget):
            let channel = context.channel
            let account = budget.account(of: AddressGroup(channel.remoteAddress)) { [weak channel] in
                channel?.closeAtOnce()
            }
            source = .account(account)
            return account
        }
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        partialHead?.noteDecoded()
        guard !isRefused else { return }
        switch unwrapInboundIn(data) {
        case .head(let request):
            giveRequest()
            (isComplete, isAnswered) = (false, false)
            guard take(RequestCost.head(request, isStream: isStream), context) else { return }
        case .body(let bytes):
            guard takeBody(bytes.readableBytes, context) else { return }
        case .end:
            isComplete = true
            if isAnswered { giveRequest() }
        }
        context.fireChannelRead(data)
    }

    private func takeBody(_ byteCount: Int, _ context: ChannelHandlerContext) -> Bool {
        let before = bodyByteCount
        bodyByteCount &+= byteCount
        if before == 0 { return take(RequestCost.bodyWindow, context) }
        if takesUpload {
            // It goes on to a file while it arrives.
            if bodyByteCount - progressByteCount >= Self.uploadProgressByteCount {
                progressByteCount = bodyByteCount
                account(context).noteProgress()
            }
            return true
        }
        let beyond = max(0, bodyByteCount - RequestCost.bodyWindow) - max(0, before - RequestCost.bodyWindow)
        return beyond == 0 || take(beyond, context)
    }

    private func take(_ byteCount: Int, _ context: ChannelHandlerContext) -> Bool {
        guard account(context).take(byteCount) else {
            isRefused = true
            context.close(promise: nil)
            return false
        }
        requestByteCount += byteCount
        return true
    }

    private func giveRequest() {
        if case .account(let account) = source { account.give(requestByteCount, isProgress: true) }
        requestByteCount = 0
        bodyByteCount = 0
        progressByteCount = 0
        takesUpload = false
    }

    // MARK: Answers

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        if event is UploadExpected { takesUpload = true }
        context.triggerUserOutboundEvent(event, promise: promise)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head: context.write(data, promise: promise)
        // What a buffer takes may be twice what is in it.
        case .body(let bytes):
            write(data, bytes.readableBytes == 0 ? 0 : bytes.storageCapacity, context, promise)
        case .end:
            context.write(data, promise: promise)
            isAnswered = true
            if isComplete { giveRequest() }
        }
    }

    private func write(
        _ data: NIOAny, _ byteCount: Int, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
        guard byteCount > 0, !isRefused else { return context.write(data, promise: promise) }
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        unsentByteCount += byteCount
        let account = account(context)
        account.add(byteCount)
        written.futureResult.assumeIsolated().whenComplete { [self] _ in
            // Given back at the end of the connection otherwise.
            guard unsentByteCount >= byteCount else { return }
            unsentByteCount -= byteCount
            account.give(byteCount, isProgress: true)
        }
        context.write(data, promise: written)
    }

    // MARK: End

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
        let pipeline = context.pipeline.syncOperations
        if let partialHead, let watch = try? pipeline.context(handler: partialHead) {
            pipeline.removeHandler(context: watch, promise: nil)
        }
        partialHead = nil
    }

    private func end() {
        giveRequest()
        if case .account(let account) = source { account.give(unsentByteCount) }
        unsentByteCount = 0
    }
}
