import NIOCore
import NIOSSL

/// Carries out an ``SMTPConversation`` on a connection. Used on its event loop only.
final class SMTPHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Makes the handler that encrypts a connection.
    typealias Encryption = @Sendable () throws -> NIOSSLClientHandler

    private let makeConversation: (_ isLocal: Bool) -> SMTPConversation
    private let encryption: Encryption?
    private let timeouts: SMTPTimeouts
    private let result: EventLoopPromise<Void>

    /// `nil` until the connection is open and after the end.
    private var conversation: SMTPConversation?
    private var isFinished = false
    private var parser = SMTPReplyParser()
    private var received = ByteBuffer()
    private var deadline: Scheduled<Void>?
    private var totalDeadline: Scheduled<Void>?

    /// - Parameters:
    ///   - makeConversation: makes the conversation, once it is known whether the connection ends on this machine.
    ///   - encryption: encrypts the connection; `nil` if it never is.
    ///   - timeouts: the time that each step may take.
    ///   - result: fulfilled at the end, with an ``SMTPError`` if the mail was not delivered. The caller that made it
    ///     closes the connection.
    init(
        encryption: Encryption?, timeouts: SMTPTimeouts, result: EventLoopPromise<Void>,
        makeConversation: @escaping (_ isLocal: Bool) -> SMTPConversation
    ) {
        (self.encryption, self.timeouts, self.result) = (encryption, timeouts, result)
        self.makeConversation = makeConversation
    }

    func channelActive(context: ChannelHandlerContext) {
        guard !isFinished, conversation == nil else { return }
        conversation = makeConversation(context.remoteAddress?.isLoopback ?? false)
        startDeadline(context)
        totalDeadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(timeouts.total)) {
            [weak self] in self?.fail(.timedOut, context)
        }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        guard !isFinished else { return }
        received.writeBuffer(&bytes)
        do throws(SMTPError.Code) {
            guard let reply = try parser.next(&received) else { return }
            // The client never sends a second command before the reply to the first one (RFC 3207 §6: what somebody
            // puts in front of the handshake must not be read after it).
            guard received.readableBytes == 0 else { throw .unexpectedBytes }
            received.clear()
            guard let action = conversation?.received(reply) else { return }
            perform(action, context)
        } catch {
            fail(error, context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(.connectionLost, context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            fail(.tlsFailed, context, detail: "\(error)")
        default: fail(.connectionLost, context)
        }
    }

    private func perform(_ action: SMTPConversation.Action, _ context: ChannelHandlerContext) {
        switch action {
        case .send(let command): write(ByteBuffer(string: "\(command)\r\n"), context)
        case .sendMail: write(ByteBuffer(bytes: conversation?.transmittedBytes ?? []), context)
        case .encrypt: encrypt(context)
        case .finish: finish(nil, context)
        case .fail(let error):
            // RFC 5321 §4.1.1.10: the connection is not closed without a farewell, whose reply nobody needs.
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "QUIT\r\n")), promise: nil)
            finish(error, context)
        }
    }

    private func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        startDeadline(context)
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    }

    private func encrypt(_ context: ChannelHandlerContext) {
        do {
            guard let encryption else { throw SMTPError(.tlsNotOffered, .startTLS) }
            try context.pipeline.syncOperations.addHandler(encryption(), position: .before(self))
        } catch {
            return fail(.tlsFailed, context, detail: "\(error)")
        }
        guard let action = conversation?.didEncrypt() else { return }
        perform(action, context)
    }

    private func startDeadline(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        let time =
            switch conversation?.step {
            case .message: timeouts.message
            case .quit: timeouts.quit
            default: timeouts.command
            }
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { [weak self] in
            self?.fail(.timedOut, context)
        }
    }

    private func fail(_ code: SMTPError.Code, _ context: ChannelHandlerContext, detail: String? = nil) {
        finish(SMTPError(code, conversation?.step ?? .connection, detail: detail), context)
    }

    /// Ends the delivery, once.
    private func finish(_ error: SMTPError?, _ context: ChannelHandlerContext) {
        guard !isFinished else { return }
        isFinished = true
        deadline?.cancel()
        totalDeadline?.cancel()
        let isAccepted = conversation?.isAccepted ?? false
        conversation = nil
        if let error, !isAccepted { result.fail(error) } else { result.succeed() }
    }
}
