import MediaCore
import NIOCore
import NIOSSL
import Synchronization
import TestSupport
import Testing
import TransportSecurity
import Webhooks

@testable import Gateway
@testable import HTTPClients

/// Requests to receivers that misbehave.
struct HTTPWebhookSenderTests {
    private static func request(_ url: String) -> WebhookRequest {
        WebhookRequest(url: url, fields: [.init(name: "webhook-id", value: "msg_1")], body: #"{"type":"webhook.test"}"#)
    }

    /// Sends a request to a server that answers with a text.
    private static func send(
        to answer: String, limit: Duration = WebhookRequest.timeLimit
    ) async throws -> (WebhookOutcome, String) {
        let server = try await RawServer(answering: answer)
        let port = try #require(server.address?.port)
        let sender = HTTPWebhookSender(hosts: CheckedHosts(policy: .anyAddress), timeLimit: limit)
        let outcome = await sender.send(request("http://127.0.0.1:\(port)/hook?a=b"))
        let text = server.text
        try await server.close()
        return (outcome, text)
    }

    @Test func aMessageIsAPostWithItsFields() async throws {
        let (outcome, text) = try await Self.send(to: "HTTP/1.1 204 No Content\r\n\r\n")
        #expect(outcome == .answered(status: 204, retryAfter: nil))
        #expect(text.hasPrefix("POST /hook?a=b HTTP/1.1\r\n") && text.hasSuffix(#"{"type":"webhook.test"}"#))
        let lower = text.lowercased()
        #expect(lower.contains("webhook-id: msg_1\r\n") && lower.contains("content-type: application/json\r\n"))
        #expect(lower.contains("user-agent: antena/"))
    }

    @Test func redirectionsAreNotFollowedAndRetryAfterIsRead() async throws {
        let redirection =
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
        #expect(try await Self.send(to: redirection).0 == .answered(status: 307, retryAfter: nil))
        for (field, delay) in [
            ("120", Duration.seconds(120)), ("Wed, 21 Oct 2015 07:28:00 GMT", nil), ("-1", nil),
            ("Fri, 31 Dec 2027 24:00:00 GMT", nil), ("tomorrow", nil),
            ("99999999999999999999", nil), ("999999999999", nil),
        ] {
            let answer = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: \(field)\r\nContent-Length: 0\r\n\r\n"
            #expect(try await Self.send(to: answer).0 == .answered(status: 429, retryAfter: delay), "\(field)")
        }
    }

    @Test(arguments: [
        // By the clock of the server, and by that of the receiver, which goes before it.
        ("", Duration.seconds(90)), ("Date: Thu, 01 Jan 2026 00:01:00 GMT\r\n", Duration.seconds(30)),
        ("Date: Thu, 01 Jan 2026 00:02:00 GMT\r\n", nil), ("Date: yesterday\r\n", Duration.seconds(90)),
    ])
    func retryAfterMayBeADate(_ date: String, _ delay: Duration?) async throws {
        let answer =
            "HTTP/1.1 503 Service Unavailable\r\nRetry-After: Thu, 01 Jan 2026 00:01:30 GMT\r\n\(date)"
            + "Content-Length: 0\r\n\r\n"
        let server = try await RawServer(answering: answer)
        let port = try #require(server.address?.port)
        let sender = HTTPWebhookSender(
            hosts: CheckedHosts(policy: .anyAddress), wallClock: TestClock(Self.newYear).wallClock)
        #expect(
            await sender.send(Self.request("http://127.0.0.1:\(port)/"))
                == .answered(status: 503, retryAfter: delay))
        try await server.close()
    }

    private static let newYear = WallClockTime(secondsSince1970: 1_767_225_600)

    @Test func aReceiverThatDoesNotAnswerEndsTheAttempt() async throws {
        let outcome = try await Self.send(to: "", limit: .milliseconds(300)).0
        guard case .failed(let reason) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reason.contains("has not answered"))
    }

    /// The status is what counts; the rest of the answer is bounded in size and time.
    @Test func anAnswerWithoutEndCountsByItsStatus() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n"
        let slow = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx"
        #expect(try await Self.send(to: slow, limit: .milliseconds(500)).0 == .answered(status: 200, retryAfter: nil))
        let large = head + String(repeating: "x", count: 2 * WebhookRequest.maximumResponseByteCount)
        #expect(try await Self.send(to: large).0 == .answered(status: 200, retryAfter: nil))
    }

    @Test func anAnswerThatIsNotHTTPIsAFailure() async throws {
        guard case .failed = try await Self.send(to: "SSH-2.0-OpenSSH_9.2\r\n").0 else {
            Issue.record("it is no answer")
            return
        }
    }

    /// A name server that gives another address for the second question (DNS rebinding) is not asked twice.
    @Test func theAddressThatWasCheckedIsTheOneThatIsConnectedTo() async throws {
        let server = try await RawServer(answering: "HTTP/1.1 204 No Content\r\n\r\n")
        let address = try #require(server.address)
        let lookUps = Counter()
        let resolver = HostResolver { _, _ in
            lookUps.count.withLock { $0 += 1 }
            return [address]
        }
        let url = "http://receiver.invalid:\(try #require(address.port))/"
        let sender = HTTPWebhookSender(hosts: CheckedHosts(policy: .anyAddress, resolver: resolver))
        #expect(await sender.send(Self.request(url)) == .answered(status: 204, retryAfter: nil))
        #expect(lookUps.count.withLock { $0 } == 1 && server.text.contains("receiver.invalid"))
        try await server.close()
    }

    @Test func aHostWithOnePrivateAddressIsRefusedAndSoIsPlainHTTP() async throws {
        let addresses = [
            try SocketAddress(ipAddress: "93.184.215.14", port: 443),
            try SocketAddress(ipAddress: "10.0.0.1", port: 443),
        ]
        let hosts = CheckedHosts(policy: .publicAddressesOnly, resolver: HostResolver { _, _ in addresses })
        let sender = HTTPWebhookSender(hosts: hosts)
        for (url, expected) in [
            ("https://receiver.invalid/", "is not a public address"),
            ("http://receiver.invalid/", "only sends to https://"),
        ] {
            guard case .failed(let reason) = await sender.send(Self.request(url)) else {
                Issue.record("\(url) was sent to")
                continue
            }
            #expect(reason.contains(expected), "\(reason)")
        }
    }

    /// The certificate of the receiver is made by nobody whom the system trusts, until it is trusted itself.
    @Test func aReceiverOverTLSNeedsATrustedCertificate() async throws {
        let folder = try TemporaryDirectory(label: "webhook")
        let certificate = try await TestCertificate(in: folder)
        let trusted = NIOSSLTrustRoots.file(certificate.certificatePath)
        let identity = try TLSIdentity(
            certificatePath: certificate.certificatePath, keyPath: certificate.keyPath,
            applicationProtocols: HTTPSChannel.applicationProtocols)
        try await HTTPSServer.serving(identity) { server in
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: server.port)
            func outcome(_ host: String, _ roots: NIOSSLTrustRoots?) async -> WebhookOutcome {
                var hosts = CheckedHosts(policy: .anyAddress, resolver: HostResolver { _, _ in [address] })
                hosts.trustRoots = roots
                return await HTTPWebhookSender(hosts: hosts).send(
                    Self.request("https://\(host):\(server.port)/hook"))
            }
            for host in ["localhost", "127.0.0.1"] {
                guard case .failed(let reason) = await outcome(host, nil) else {
                    Issue.record("\(host) was sent to")
                    continue
                }
                #expect(reason.hasPrefix("cannot send: "), "\(reason)")
            }
            // The server of this test has no such page, and says so once it is trusted.
            for host in ["localhost", "127.0.0.1"] {
                #expect(await outcome(host, trusted) == .answered(status: 404, retryAfter: nil), "\(host)")
            }
        }
    }

    private final class Counter: Sendable {
        let count = Mutex(0)
    }
}
