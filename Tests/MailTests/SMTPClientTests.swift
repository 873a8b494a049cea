import GatewayTestSupport
import MediaCore
import NIOPosix
import Testing
import TestSupport

@testable import Mail

/// The client against a server on loopback.
struct SMTPClientTests {
    private let folder: TemporaryDirectory
    private let certificate: TestCertificate
    private let credential = SMTPCredential(username: "ana", password: "geheim")

    init() async throws {
        folder = try TemporaryDirectory(label: "smtp")
        certificate = try await TestCertificate(in: folder)
    }

    private func mail(_ text: String = "Hello\r\n.\r\n") throws -> OutgoingMail {
        OutgoingMail(
            from: try MailAddress("tv@example.org"), to: try MailAddress("ana@example.org"), bytes: Array(text.utf8))
    }

    private func client(_ address: String, _ credential: SMTPCredential? = nil) throws -> SMTPClient {
        try SMTPClient(
            address: try SMTPServerAddress(parsing: address), credential: credential, helloName: "tv.example.org",
            group: MultiThreadedEventLoopGroup.singleton)
    }

    /// The error of a delivery; `nil` if the mail was delivered.
    private func error(_ address: String, _ credential: SMTPCredential? = nil) async throws -> SMTPError? {
        let client = try client(address, credential)
        do {
            try await client.deliver(try mail())
            return nil
        } catch let error as SMTPError {
            return error
        }
    }

    @Test func theMailServerOfThisMachineNeedsNoEncryption() async throws {
        let server = try await ScriptedSMTPServer()
        try await client("smtp://127.0.0.1:\(server.port)").deliver(try mail())
        #expect(server.mails == ["Hello\r\n.."])
        #expect(
            server.lines == [
                "EHLO tv.example.org", "MAIL FROM:<tv@example.org> SIZE=10", "RCPT TO:<ana@example.org>", "DATA",
                "QUIT",
            ])
        try await server.close()
    }

    @Test func startTLSEncryptsBeforeThePasswordIsSent() async throws {
        let server = try await ScriptedSMTPServer(
            .init(offers: ["STARTTLS"], plain: "AGFuYQBnZWhlaW0="), certificate: certificate)
        let address = "smtp://ana@localhost:\(server.port)?tls=on&certificates=\(certificate.certificatePath)"
        try await client(address, credential).deliver(try mail())
        #expect(server.mails.count == 1)
        #expect(
            server.lines.prefix(4) == [
                "EHLO tv.example.org", "STARTTLS", "EHLO tv.example.org", "AUTH PLAIN AGFuYQBnZWhlaW0=",
            ])
        try await server.close()
    }

    @Test func tlsFromTheStartAndLogIn() async throws {
        let server = try await ScriptedSMTPServer(
            .init(
                secureOffers: ["AUTH LOGIN"],
                replies: ["AUTH": ["334 VXNlcm5hbWU6"], "YW5H": [], "YW5H ": []], isSecureFromTheStart: true),
            certificate: certificate)
        let address = "smtps://ana@127.0.0.1:\(server.port)?certificates=\(certificate.certificatePath)"
        // The server asks for the username and refuses it.
        let error = try await error(address, credential)
        #expect(error?.code == .refused && error?.step == .authentication && error?.mayBeRetried == false)
        #expect(server.lines.prefix(3) == ["EHLO tv.example.org", "AUTH LOGIN", "YW5h"])
        let other = try await ScriptedSMTPServer(
            .init(
                secureOffers: ["AUTH LOGIN"],
                replies: ["AUTH": ["334 VXNlcm5hbWU6"], "YW5H": ["334 UGFzc3dvcmQ6"], "Z2VOZWLT": ["235 ok"]],
                isSecureFromTheStart: true), certificate: certificate)
        try await client(
            "smtps://ana@127.0.0.1:\(other.port)?certificates=\(certificate.certificatePath)", credential
        ).deliver(try mail())
        #expect(other.mails.count == 1 && other.lines[3] == "Z2VoZWlt")
        try await server.close()
        try await other.close()
    }

    @Test func aCertificateThatNobodyVouchesForIsRefused() async throws {
        let server = try await ScriptedSMTPServer(.init(offers: ["STARTTLS"]), certificate: certificate)
        let error = try await error("smtp://ana@localhost:\(server.port)?tls=on", credential)
        #expect(error?.code == .tlsFailed && error?.mayBeRetried == true)
        #expect(server.lines == ["EHLO tv.example.org", "STARTTLS"] && server.mails.isEmpty)
        try await server.close()
    }

    @Test func aCertificateOfAnotherServerIsRefused() async throws {
        let server = try await ScriptedSMTPServer(
            .init(isSecureFromTheStart: true), certificate: certificate, host: "127.0.0.2")
        let error = try await error(
            "smtps://ana@127.0.0.2:\(server.port)?certificates=\(certificate.certificatePath)", credential)
        #expect(error?.code == .tlsFailed)
        #expect(server.lines.isEmpty)
        try await server.close()
    }

    @Test func withoutTheOfferNothingIsSent() async throws {
        let server = try await ScriptedSMTPServer(.init(offers: ["AUTH PLAIN LOGIN"]), certificate: certificate)
        let error = try await error("smtp://ana@localhost:\(server.port)?tls=on", credential)
        #expect(error == SMTPError(.tlsNotOffered, .startTLS))
        #expect(server.lines.allSatisfy { $0.hasPrefix("EHLO") || $0 == "QUIT" })
        try await server.close()
    }

    @Test func whatSomebodyPutsInFrontOfTheHandshakeIsNotRead() async throws {
        let server = try await ScriptedSMTPServer(
            .init(offers: ["STARTTLS"], replies: ["STARTTLS": ["220 go on\r\n250 AUTH PLAIN"]]),
            certificate: certificate)
        let address = "smtp://ana@localhost:\(server.port)?tls=on&certificates=\(certificate.certificatePath)"
        #expect(try await error(address, credential)?.code == .unexpectedBytes)
        #expect(!server.lines.contains { $0.hasPrefix("AUTH") })
        try await server.close()
    }

    @Test func aWrongPasswordIsFinal() async throws {
        let server = try await ScriptedSMTPServer(.init(offers: ["AUTH PLAIN"], plain: "other"))
        let error = try await error("smtp://ana@127.0.0.1:\(server.port)", credential)
        #expect(error?.status == "535 5.7.8" && error?.mayBeRetried == false)
        #expect(error.map { "\($0)".contains("geheim") } == false)
        try await server.close()
    }

    @Test func aServerThatIsNotThereIsTriedAgain() async throws {
        let port = try TCPPorts.free()
        let error = try await error("smtp://127.0.0.1:\(port)")
        #expect(error?.code == .connectionFailed && error?.mayBeRetried == true)
    }

    @Test func aServerThatClosesIsTriedAgain() async throws {
        let server = try await ScriptedSMTPServer(.init(replies: ["RCPT": ["close"]]))
        let error = try await error("smtp://127.0.0.1:\(server.port)")
        #expect(error == SMTPError(.connectionLost, .recipient))
        try await server.close()
    }

    @Test func aDeliveryThatIsCancelledEnds() async throws {
        let server = try await ScriptedSMTPServer(.init(replies: ["": ["220-wait"]]))
        let client = try client("smtp://127.0.0.1:\(server.port)")
        let mail = try mail()
        let task = Task { try await client.deliver(mail) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await server.close()
    }

    @Test func trustedCertificatesThatCannotBeReadAreReported() throws {
        #expect(throws: SMTPError.self) { try client("smtps://mail.example.org?certificates=/nonexistent.pem") }
    }
}
