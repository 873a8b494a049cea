import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Stands last in the pipeline of a connection of HTTP/1.1, or of a stream of HTTP/2, until the first request for the
/// router comes. Only then are the buffers made through which its task reads and writes: those who only fetch media
/// need neither them nor the task.
final class RouterEntryHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    /// The channel that a task serves, and the task's place.
    struct Started: Sendable {
        let value: HTTP1Channel.Value
        let task: RouterTask
    }

    private let started: EventLoopPromise<Started>
    private let isStream: Bool
    private let tasks: RouterTasks
    private var isStarted = false
    private var isRefused = false

    /// The value of Retry-After of a request for which there is no task, in seconds.
    private static let retryDelay = 1

    /// - Parameters:
    ///   - started: succeeds when the first request has come; fails if none comes.
    ///   - isStream: whether this is a stream of HTTP/2, which has no sending side to close.
    ///   - tasks: counts the tasks that wait.
    init(started: EventLoopPromise<Started>, isStream: Bool, tasks: RouterTasks) {
        (self.started, self.isStream, self.tasks) = (started, isStream, tasks)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard start(context) else { return }
        context.fireChannelRead(data)
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    /// A first request that cannot be parsed is answered by the task, too.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError else { return context.fireErrorCaught(error) }
        guard start(context) else { return }
        context.fireErrorCaught(error)
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    /// Adds the buffers of the task after this handler.
    ///
    /// - Returns: false if that is not possible; the connection is closed then.
    private func start(_ context: ChannelHandlerContext) -> Bool {
        guard !isStarted else { return !isRefused }
        isStarted = true
        guard let task = tasks.begin() else {
            refuse(context)
            return false
        }
        do {
            let value = try HTTP1Channel.Value(
                wrappingChannelSynchronously: context.channel,
                configuration: .init(isOutboundHalfClosureEnabled: !isStream))
            context.channel.closeFuture.whenComplete { _ in task.abandon() }
            started.succeed(Started(value: value, task: task))
            return true
        } catch {
            started.fail(error)
            context.close(promise: nil)
            return false
        }
    }

    /// Answers 503, because too many tasks wait already.
    private func refuse(_ context: ChannelHandlerContext) {
        isRefused = true
        started.fail(ChannelError.ioOnClosedChannel)
        var fields: HTTPFields = [.contentLength: "0", .retryAfter: "\(Self.retryDelay)"]
        if !isStream { fields[.connection] = "close" }
        context.write(
            wrapOutboundOut(.head(HTTPResponse(status: .serviceUnavailable, headerFields: fields))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Nobody else ends the connection of a client that has closed its sending side.
        if !isStarted, !isStream, event as? ChannelEvent == .inputClosed {
            return context.close(mode: .output, promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        giveUp()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { giveUp() }

    private func giveUp() {
        guard !isStarted else { return }
        isStarted = true
        started.fail(ChannelError.ioOnClosedChannel)
    }
}
