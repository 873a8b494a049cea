import NIOCore
import RTSPProtocol

/// What comes on the RTSP connection: answers, requests of the server's own, and reports.
final class PushConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What answers is no RTSP server.
    enum ForeignProtocol: Error {
        case http
        /// With the printable beginning of what came.
        case unknown(String)
        /// The connection was closed before anything came.
        case nothing
    }

    /// Of what a foreign server says, for people.
    private static let maximumBeginningLength = 40

    private var parser = RTSPMessageParser()
    private var rest = ByteBuffer()
    private var hasAnswer = false
    private var hasBytes = false
    private var beginning = ""
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
        guard failure == nil else { return }
        var buffer = unwrapInboundIn(data)
        if !hasAnswer, beginning.isEmpty { beginning = Self.printableBeginning(of: buffer) }
        hasBytes = true
        rest.writeBuffer(&buffer)
        if !hasAnswer, rest.getString(at: rest.readerIndex, length: min(5, rest.readableBytes)) == "HTTP/" {
            return fail(ForeignProtocol.http, context)
        }
        do throws(RTSPParsingError) {
            while let element = try parser.next(from: &rest) {
                hasAnswer = true
                onElement(element)
            }
        } catch {
            return fail(hasAnswer ? error : ForeignProtocol.unknown(beginning), context)
        }
        rest.discardReadBytes()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { onWritable() }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A reset in place of a first answer is no lost connection.
        let isForeign = error is IOError && !hasAnswer && hasBytes
        fail(isForeign ? ForeignProtocol.unknown(beginning) : error, context)
    }

    /// Of the first line; empty where it is no text.
    private static func printableBeginning(of buffer: ByteBuffer) -> String {
        let line = buffer.readableBytesView.prefix { $0 != 0x0A && $0 != 0x0D }
        guard line.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return "" }
        return String(decoding: line.prefix(maximumBeginningLength), as: UTF8.self)
    }

    func channelInactive(context: ChannelHandlerContext) {
        close(failure ?? (hasAnswer ? nil : hasBytes ? ForeignProtocol.unknown(beginning) : ForeignProtocol.nothing))
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
