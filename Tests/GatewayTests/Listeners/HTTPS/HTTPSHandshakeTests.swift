import Foundation
import GatewayTestSupport
import NIOCore
import NIOSSL
import TestSupport
import Testing
import TransportSecurity

@testable import Gateway

@Suite(.timeLimit(.minutes(1))) struct HTTPSHandshakeTests {
    private static let request = Array("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// ALPN selects the protocol; an offer that the server does not know counts as no offer.
    @Test(arguments: [["http/1.1"], [], ["spdy/3"]])
    func clientsOfHTTP1AreServed(_ protocols: [String]) async throws {
        try await HTTPSServer.serving { server in
            for version in [TLSVersion.tlsv12, .tlsv13] {
                let context = try TestTLS.clientContext(protocols: protocols, from: version, to: version)
                let connection = try await RawConnection.connect(to: server.port, tls: context)
                let answer = text(try await connection.exchange(Self.request))
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(answer)")
            }
        }
    }

    @Test func plainHTTPIsToldWhatToWrite() async throws {
        let log = try await HTTPSServer.serving { server in
            let connection = try await RawConnection.connect(to: server.port, tls: nil)
            let answer = text(try await connection.exchange(Self.request))
            #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(answer.contains("\r\nConnection: close\r\n"))
            #expect(answer.hasSuffix("\r\n\r\nThis port speaks HTTPS; use a URL that starts with https://\n"))
        }
        let lines = log.text.split(separator: "\n").filter { $0.contains("TLS handshake failed") }
        #expect(lines.count == 1 && lines.first?.hasSuffix("reason=the client speaks plain HTTP") == true)
    }

    @Test(
        arguments: [[0, 1, 2, 3, 4, 5, 6, 7], [22, 3, 1, 0, 4, 1, 2, 3, 4], Array("lower case\r\n\r\n".utf8)]
            as [[UInt8]])
    func garbageEndsTheConnection(_ bytes: [UInt8]) async throws {
        let log = try await HTTPSServer.serving { server in
            let connection = try await RawConnection.connect(to: server.port, tls: nil)
            // The response is at most an alert.
            #expect(try await connection.exchange(bytes).count <= 7)
        }
        #expect(log.text.contains("debug TLS handshake failed peer.address=[IPv4]127.0.0.1"))
    }

    @Test func silenceIsEndedByTheTimeout() async throws {
        try await HTTPSServer.serving(timeouts: HTTPSTimeouts(handshake: .milliseconds(100))) { server in
            for begun in [[], [22, 3, 1]] as [[UInt8]] {
                let connection = try await RawConnection.connect(to: server.port, tls: nil)
                #expect(try await connection.exchange(begun).isEmpty)
            }
            #expect(server.log.text.contains("reason=the handshake timed out"))
            // Connections that have completed the handshake do not have this deadline.
            let context = try TestTLS.clientContext()
            let first = try await RawConnection.connect(to: server.port, tls: context)
            let second = try await RawConnection.connect(to: server.port, tls: nil)
            #expect(try await second.exchange([]).isEmpty)
            #expect(text(try await first.exchange(Self.request)).hasPrefix("HTTP/1.1 200"))
        }
    }

    struct Weakness: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var version = TLSVersion.tlsv12
        var ciphers: [NIOTLSCipher] = []
        var isRefused = true
    }

    /// HLS Authoring Specification 12.1.
    @Test(arguments: [
        Weakness(testDescription: "TLS 1.0", version: .tlsv1),
        Weakness(testDescription: "TLS 1.1", version: .tlsv11),
        Weakness(testDescription: "no forward secrecy", ciphers: [.TLS_RSA_WITH_AES_128_GCM_SHA256]),
        Weakness(testDescription: "CBC", ciphers: [.TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA]),
        Weakness(
            testDescription: "as it should be", ciphers: [.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256], isRefused: false),
    ])
    func weakTLSIsRefused(_ weakness: Weakness) async throws {
        let folder = try TemporaryDirectory(label: "https")
        let paths = (certificate: try folder.file("rsa.crt"), key: try folder.file("rsa.key"))
        _ = try await ExternalTool("openssl").run([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=localhost", "-keyout",
            paths.key, "-out", paths.certificate,
        ])
        let identity = try TLSIdentity(
            certificatePath: paths.certificate, keyPath: paths.key,
            applicationProtocols: HTTPSChannel.applicationProtocols)
        let log = try await HTTPSServer.serving(identity) { server in
            let context = try TestTLS.clientContext(
                from: weakness.version, to: weakness.version, ciphers: weakness.ciphers)
            let connection = try await RawConnection.connect(to: server.port, tls: context)
            let answer = try await connection.exchange(Self.request)
            #expect(answer.isEmpty == weakness.isRefused)
        }
        #expect(log.text.contains("TLS handshake failed") == weakness.isRefused)
    }

    @Test func aNewCertificateIsForNewConnections() async throws {
        let folder = try TemporaryDirectory(label: "https")
        let old = try await TestCertificate(in: folder)
        let new = try await TestCertificate(in: folder, name: "renewed")
        let identity = try TLSIdentity(
            certificatePath: old.certificatePath, keyPath: old.keyPath,
            applicationProtocols: HTTPSChannel.applicationProtocols)
        let oldCertificate = try NIOSSLCertificate.fromPEMFile(old.certificatePath).first
        let newCertificate = try NIOSSLCertificate.fromPEMFile(new.certificatePath).first
        try await HTTPSServer.serving(identity) { server in
            let first = try await HTTP2Client.connect(to: server.port)
            #expect(try await first.send("/healthz").status == 200)
            for (path, other) in [(old.certificatePath, new.certificatePath), (old.keyPath, new.keyPath)] {
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.copyItem(atPath: other, toPath: path)
            }
            let second = try await HTTP2Client.connect(to: server.port)
            for client in [first, second] { #expect(try await client.send("/healthz").status == 200) }
            #expect(try await first.channel.nioSSL_peerCertificate().get() == oldCertificate)
            #expect(try await second.channel.nioSSL_peerCertificate().get() == newCertificate)
            for client in [first, second] { try await client.channel.close() }
        }
    }
}
