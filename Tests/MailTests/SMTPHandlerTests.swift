import MediaCore
import NIOCore
import NIOEmbedded
import Testing

@testable import Mail

/// The handler on a channel without a socket, whose time the test moves.
struct SMTPHandlerTests {
    private let channel = EmbeddedChannel()
    private let result: EventLoopPromise<Void>

    init() throws {
        result = channel.eventLoop.makePromise()
    }

    private func start(
        _ security: SMTPServerAddress.Security = .none, credential: SMTPCredential? = nil, recipient: String = "ana@b.c"
    ) throws {
        let address = try MailAddress("tv@example.org")
        let mail = OutgoingMail(from: address, to: try MailAddress(recipient), bytes: Array("Hello\r\n".utf8))
        try channel.pipeline.syncOperations.addHandler(
            SMTPHandler(encryption: nil, timeouts: .init(), result: result) { isLocal in
                SMTPConversation(
                    mail, helloName: "tv.example.org", security: security, credential: credential, isLocal: isLocal)
            })
        channel.connect(to: try SocketAddress(ipAddress: "192.0.2.1", port: 25), promise: nil)
    }

    /// The client's answer to a reply.
    private func answer(to reply: String) throws -> String? {
        try channel.writeInbound(ByteBuffer(string: reply))
        return try channel.readOutbound(as: ByteBuffer.self).map { String(buffer: $0) }
    }

    /// The error of the delivery; `nil` while it goes on and after success.
    private var error: SMTPError? {
        var error: (any Error)?
        result.futureResult.assumeIsolated().whenFailure { error = $0 }
        return error as? SMTPError
    }

    @Test func aMailIsDelivered() throws {
        try start()
        #expect(try answer(to: "220 hello\r\n") == "EHLO tv.example.org\r\n")
        #expect(try answer(to: "250-hello\r\n250 SIZE 1000\r\n") == "MAIL FROM:<tv@example.org> SIZE=7\r\n")
        #expect(try answer(to: "250 ok\r\n") == "RCPT TO:<ana@b.c>\r\n")
        #expect(try answer(to: "251 forwarded\r\n") == "DATA\r\n")
        #expect(try answer(to: "354 go on\r\n") == "Hello\r\n.\r\n")
        #expect(try answer(to: "250 2.0.0 queued\r\n") == "QUIT\r\n")
        // The mail is accepted, whatever becomes of the farewell.
        channel.embeddedEventLoop.advanceTime(by: .seconds(4))
        try result.futureResult.wait()
    }

    /// A server that takes its time for each step, but not too long, does not get it for all of them.
    @Test func theWholeDeliveryHasADeadline() throws {
        try start()
        for reply in ["220 hello\r\n", "250 hello\r\n", "250 ok\r\n", "250 ok\r\n"] {
            #expect(error == nil)
            channel.embeddedEventLoop.advanceTime(by: .seconds(55))
            _ = try answer(to: reply)
        }
        #expect(error == nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(21))
        #expect(error?.code == .timedOut)
    }

    /// Bytes that arrive meanwhile do not make the time longer.
    @Test func everyStepHasADeadline() throws {
        try start()
        for _ in 0..<5 {
            try channel.writeInbound(ByteBuffer(string: "2"))
            channel.embeddedEventLoop.advanceTime(by: .seconds(11))
        }
        #expect(error == nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(6))
        #expect(error == SMTPError(.timedOut, .greeting))
    }

    @Test func aServerThatTakesTheMailHasMoreTime() throws {
        try start()
        for reply in ["220 a\r\n", "250 a\r\n", "250 a\r\n", "250 a\r\n", "354 a\r\n"] { _ = try answer(to: reply) }
        channel.embeddedEventLoop.advanceTime(by: .seconds(119))
        #expect(error == nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(error == SMTPError(.timedOut, .message) && error?.mayBeRetried == true)
    }

    @Test func anEndlessReplyEnds() throws {
        try start()
        let line = ByteBuffer(string: "220-" + String(repeating: "a", count: 500) + "\r\n")
        for _ in 0..<1_000 where error == nil { try channel.writeInbound(line) }
        #expect(error == SMTPError(.replyTooLong, .greeting))
    }

    @Test(arguments: ["SSH-2.0-OpenSSH\r\n", "HTTP/1.1 400\r\n\r\n", "354 data\r\n", "\u{0}\n"])
    func garbageEnds(_ text: String) throws {
        try start()
        _ = try? answer(to: text)
        #expect(error == SMTPError(text.hasPrefix("HTTP") ? .malformedReply : .malformedReply, .greeting))
    }

    /// RFC 3207 §6: somebody could have put replies in front of the handshake.
    @Test func repliesThatNobodyAskedForEnd() throws {
        try start(.startTLS)
        _ = try answer(to: "220 a\r\n")
        #expect(try answer(to: "250-a\r\n250 STARTTLS\r\n") == "STARTTLS\r\n")
        _ = try answer(to: "220 go on\r\n250-a\r\n250 AUTH PLAIN\r\n")
        #expect(error == SMTPError(.unexpectedBytes, .startTLS))
    }

    @Test func aStrippedOfferOfEncryptionEnds() throws {
        let credential = SMTPCredential(username: "ana", password: "geheim")
        try start(.startTLS, credential: credential)
        _ = try answer(to: "220 a\r\n")
        #expect(try answer(to: "250-a\r\n250-XXXXXXXX\r\n250 AUTH PLAIN\r\n") == "QUIT\r\n")
        #expect(error == SMTPError(.tlsNotOffered, .startTLS))
    }

    @Test func aPasswordIsNotSentUnencryptedToAnotherMachine() throws {
        try start(.none, credential: SMTPCredential(username: "ana", password: "geheim"))
        _ = try answer(to: "220 a\r\n")
        #expect(try answer(to: "250-a\r\n250 AUTH PLAIN LOGIN\r\n") == "QUIT\r\n")
        #expect(error == SMTPError(.authenticationNotEncrypted, .authentication) && error?.mayBeRetried == false)
    }

    @Test(arguments: [
        ("421 4.3.2 shutting down", true), ("451 4.7.1 greylisted", true), ("550 5.1.1 <ana@b.c> unknown", false),
        ("535 5.7.8 no", false),
    ])
    func refusalsAreForNowOrForGood(_ reply: String, _ mayBeRetried: Bool) throws {
        try start()
        for reply in ["220 a\r\n", "250 a\r\n", "250 a\r\n"] { _ = try answer(to: reply) }
        #expect(try answer(to: "\(reply)\r\n") == "QUIT\r\n")
        #expect(error?.code == .refused && error?.step == .recipient && error?.mayBeRetried == mayBeRetried)
        #expect(error.map { "\($0)".contains("ana@b.c") } == false)
    }

    @Test func addressesBeyondASCIINeedAnOffer() throws {
        try start(recipient: "ñandú@b.c")
        _ = try answer(to: "220 a\r\n")
        #expect(try answer(to: "250 a\r\n") == "QUIT\r\n")
        #expect(error?.code == .addressNotSupported && error?.mayBeRetried == false)
    }

    @Test func addressesBeyondASCIIAreSentIfTheServerOffersIt() throws {
        try start(recipient: "ñandú@b.c")
        _ = try answer(to: "220 a\r\n")
        #expect(
            try answer(to: "250-a\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n")
                == "MAIL FROM:<tv@example.org> BODY=8BITMIME SMTPUTF8\r\n")
        #expect(try answer(to: "250 a\r\n") == "RCPT TO:<ñandú@b.c>\r\n")
    }

    @Test func aMailThatIsTooLargeIsNotSent() throws {
        try start()
        _ = try answer(to: "220 a\r\n")
        #expect(try answer(to: "250-a\r\n250 SIZE 6\r\n") == "QUIT\r\n")
        #expect(error?.code == .messageTooLarge)
    }

    @Test func aLostConnectionIsTriedAgain() throws {
        try start()
        _ = try channel.finish(acceptAlreadyClosed: true)
        #expect(error?.code == .connectionLost && error?.mayBeRetried == true)
    }
}
