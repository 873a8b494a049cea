import NIOCore
import RTSPProtocol

/// Parses what arrives on the RTSP connection: responses, requests of the server, and reports.
final class PushConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The server does not speak RTSP.
    enum ForeignProtocol: Error {
        /// The answer is HTTP.
        case http
        /// The answer is something else; holds its printable beginning.
        case unknown(String)
        /// The connection was closed before any data arrived.
        case nothing
    }

    /// The number of characters of a foreign answer to show.
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
        // A reset instead of a first answer is not a lost connection.
        let isForeign = error is IOError && !hasAnswer && hasBytes
        fail(isForeign ? ForeignProtocol.unknown(beginning) : error, context)
    }

    /// Returns the beginning of the first line; empty if it is not text.
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
