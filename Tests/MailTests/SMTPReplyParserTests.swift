import NIOCore
import Testing

@testable import Mail

struct SMTPReplyParserTests {
    /// All replies in the bytes, given in pieces of a size.
    private func replies(_ text: String, pieceByteCount: Int) throws -> [SMTPReply] {
        var parser = SMTPReplyParser()
        var buffer = ByteBuffer()
        var replies: [SMTPReply] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieceByteCount) {
            buffer.writeBytes(bytes[start..<min(start + pieceByteCount, bytes.count)])
            while let reply = try parser.next(&buffer) { replies.append(reply) }
        }
        return replies
    }

    @Test(arguments: [1, 2, 7, 1_000])
    func repliesAreReadWhereverTheyAreCut(_ pieceByteCount: Int) throws {
        let text = "220 mail.example.org ESMTP\r\n250-hello\r\n250-SIZE 1000\r\n250 AUTH PLAIN\r\n354\r\n550 5.1.1 no\n"
        #expect(
            try replies(text, pieceByteCount: pieceByteCount) == [
                SMTPReply(code: 220, lines: ["mail.example.org ESMTP"]),
                SMTPReply(code: 250, lines: ["hello", "SIZE 1000", "AUTH PLAIN"]), SMTPReply(code: 354, lines: [""]),
                SMTPReply(code: 550, lines: ["5.1.1 no"]),
            ])
    }

    @Test(arguments: [
        "HTTP/1.1 400 Bad Request\r\n", "\r\n", "25\r\n", "2x0 a\r\n", "250_a\r\n", "100 a\r\n", "600 a\r\n",
        "250-a\r\n251 b\r\n", "\u{16}\u{3}\u{1}\r\n", "٢٥٠ a\r\n",
    ])
    func whatIsNoReplyIsRefused(_ text: String) {
        #expect(throws: SMTPError.Code.malformedReply) { try replies(text, pieceByteCount: 1_000) }
    }

    @Test func endlessRepliesAreRefused() {
        #expect(throws: SMTPError.Code.replyTooLong) {
            try replies(String(repeating: "250-a\r\n", count: 101), pieceByteCount: 1_000)
        }
        #expect(throws: SMTPError.Code.replyTooLong) {
            try replies("250 " + String(repeating: "a", count: 2_044), pieceByteCount: 1_000)
        }
    }

    /// Servers repeat addresses and links in what they say.
    @Test(arguments: [
        ("5.1.1 <ana@example.org>: unknown", "550 5.1.1"), ("<ana@example.org> unknown", "550"), ("", "550"),
        ("4.1.1 wrong class", "550"), ("5.1.1@example.org x", "550"), ("5.1", "550"), ("5.1.1111 x", "550"),
        ("5.1.https://example.org x", "550"),
    ])
    func onlyCodesOfARefusalAreKept(_ text: String, _ status: String) {
        #expect(SMTPReply(code: 550, lines: [text]).status == status)
    }

    @Test func offersAreRead() {
        let capabilities = SMTPCapabilities(
            SMTPReply(
                code: 250,
                lines: ["STARTTLS", "8bitmime", "size 1000", "auth plain LOGIN", "AUTH=CRAM-MD5", "SMTPUTF8", "x"]))
        #expect(!capabilities.offersStartTLS && capabilities.offersEightBit && capabilities.offersUTF8)
        #expect(capabilities.maximumByteCount == 1_000)
        #expect(capabilities.mechanisms == ["PLAIN", "LOGIN", "CRAM-MD5"])
        #expect(SMTPCapabilities(SMTPReply(code: 250, lines: ["x", "SIZE 0"])).maximumByteCount == nil)
        #expect(SMTPCapabilities(SMTPReply(code: 250, lines: ["x", "SIZE -9"])).maximumByteCount == nil)
    }
}
