import NIOCore
import RTSPProtocol

/// What comes on the RTSP connection: answers, requests of the server's own, and reports.
final class PushConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What answers is no RTSP server.
    struct ForeignProtocol: Error {
        /// For people; `nil` where nothing came at all.
        var name: String?
    }

    private var parser = RTSPMessageParser()
    private var rest = ByteBuffer()
    private var hasAnswer = false
    private let onElement: (RTSPElement) -> Void
    private let onWritable: () -> Void
    private let onClosed: ((any Error)?) -> Void
    private var failure: (any Error)?
    private var hasClosed = false

    init(
        onElement: @escaping (RTSPElement) -> Void, onWritable: @escaping () -> Void,
        onClosed: @escaping ((any Error)?) -> Void
    ) {
        self.onElement = onElement
        self.onWritable = onWritable
        self.onClosed = onClosed
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        rest.writeBuffer(&buffer)
        if !hasAnswer, rest.getString(at: rest.readerIndex, length: min(5, rest.readableBytes)) == "HTTP/" {
            return fail(ForeignProtocol(name: "HTTP"), context)
        }
        do throws(RTSPParsingError) {
            while let element = try parser.next(from: &rest) {
                hasAnswer = true
                onElement(element)
            }
        } catch {
            return fail(hasAnswer ? error : ForeignProtocol(name: nil), context)
        }
        rest.discardReadBytes()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { onWritable() }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(error, context) }

    func channelInactive(context: ChannelHandlerContext) {
        close(failure ?? (hasAnswer ? nil : ForeignProtocol(name: nil)))
        context.fireChannelInactive()
    }

    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
        failure = failure ?? error
        context.close(promise: nil)
    }

    private func close(_ error: (any Error)?) {
        guard !hasClosed else { return }
        hasClosed = true
        onClosed(error)
    }
}
