import Foundation
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    /// The additional ports: the shared port for RTSP and HTTP, and the ports with TLS.
    @Suite struct ListenerTests {
        static let playlist = "/live/canalA.stream/playlist.m3u8"

        @Test func onePortSpeaksRTSPAndHTTP() async throws {
            let server = try await AntenaProcess.serving()
            let host = "127.0.0.1:\(server.wowzaPort)"
            let publisher = try BackgroundProgram.publisher(to: "rtsp://\(host)/live/canalA.stream")
            _ = try await LiveTests.window(of: server, count: 2)
            let url = "http://\(host)\(Self.playlist)"
            #expect(try await MediaClients.codecs(url) == ["h264", "aac"])
            try await MediaClients.decode(url, seconds: 2)
            publisher.kill()
        }

        @Test func theSharedPortClosesWhatIsNeither() async throws {
            let server = try await AntenaProcess.serving()
            let port = server.wowzaPort
            try await offCooperativePool {
                let stranger = try TCPConnection(port: port)
                try stranger.send([0x16, 0x03, 0x01, 0x02, 0x00])
                #expect(try stranger.readToEnd().isEmpty)
                // The request arrives in pieces, as on a slow network.
                let slow = try TCPConnection(port: port)
                for piece in ["OPT", "IONS", " * RT", "SP/1.0\r\nCSeq: 7\r\n", "\r\n"] { try slow.send(piece) }
                #expect(try slow.read(until: "\r\n\r\n").contains("CSeq: 7"))
                let browser = try TCPConnection(port: port)
                try browser.send("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                #expect(try browser.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            }
            server.signal(SIGTERM)
            #expect(try await server.waitForExit(within: 5) == 0)
        }

        @Test func listenersToEventsOnBothPortsAreToldAndGetTheEndOfTheirResponses() async throws {
            let server = try await AntenaProcess.serving()
            let authorization = "Authorization: Bearer \(try server.operatorToken)"
            let (ports, path) = ([server.httpPort, server.wowzaPort], "/api/v1/events?types=account")
            let listeners = try await offCooperativePool {
                try ports.map { port in
                    let listener = try TCPConnection(port: port)
                    try listener.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\(authorization)\r\n\r\n")
                    let head = try listener.read(until: "retry:")
                    #expect(head.contains("Connection: close"))
                    return listener
                }
            }
            try await AccountTests.add("ana", "member", server)
            try await offCooperativePool {
                for listener in listeners { _ = try listener.read(until: "event: account.created") }
            }
            server.signal(SIGTERM)
            try await offCooperativePool {
                for listener in listeners {
                    let rest = try listener.readToEnd()
                    #expect(rest.suffix(5) == Array("0\r\n\r\n".utf8))
                }
            }
            #expect(try await server.waitForExit(within: 5) == 0)
        }

        @Test func aPublisherOnTheSharedPortDoesNotHoldUpShutdown() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(
                to: "rtsp://127.0.0.1:\(server.wowzaPort)/live/canalB.stream")
            _ = try await eventually("canalB is live") {
                try await server.channelState("canalB") == "live" ? true : nil
            }
            server.signal(SIGTERM)
            #expect(try await server.waitForExit(within: 5) == 0)
            publisher.kill()
        }

        /// A server with ports for RTSP and HTTP over TLS, and one film.
        private static func servingTLS() async throws -> AntenaProcess {
            let folder = try TemporaryDirectory(label: "e2e")
            let certificate = try await TestCertificate(in: folder)
            let server = try AntenaProcess(
                extraArguments: [
                    "--rtsps", "127.0.0.1:0", "--https", "127.0.0.1:0", "--tls-cert", certificate.certificatePath,
                    "--tls-key", certificate.keyPath,
                ], folder: folder)
            try FileManager.default.copyItem(
                atPath: try await MovieFixture.bFrames.path(), toPath: folder.file("media/vod/film.mp4"))
            try await server.start()
            return server
        }

        @Test func pushesAndReadsOverTLS() async throws {
            let server = try await Self.servingTLS()
            let address = "rtsps://127.0.0.1:\(server.rtspsPort)/live/canalA.stream"
            let publisher = try BackgroundProgram.publisher(to: address)
            let window = try await LiveTests.window(of: server, count: 2)
            #expect(window.renditions.count == 2)
            let status = try await server.request("/api/v1/channels/canalA").json
            #expect((status["publisher"] as? [String: Any])?["transport"] as? String == "RTSPS")
            let frames = try await MediaClients.frameDigests(address, transport: "tcp", limit: 50)
            #expect(frames.count == 50 && Set(frames).count == 50)
            let sameByGStreamer = try await GStreamerTests.frames(
                address, protocols: "tcp", width: 320, height: 180, count: 50)
            #expect(Set(sameByGStreamer).count == 50)
            publisher.kill()
        }

        @Test func readsATitleOverTLS() async throws {
            let server = try await Self.servingTLS()
            let title = try await server.ingested("film.mp4")
            let expected = try await MediaClients.frameDigests(try await MovieFixture.bFrames.path())
            let frames = try await MediaClients.frameDigests(
                "rtsps://127.0.0.1:\(server.rtspsPort)/vod/\(title.id)", transport: "tcp", limit: 60)
            #expect(frames == Array(expected.prefix(60)))
        }

        @Test func playsOverHTTPS() async throws {
            let server = try await Self.servingTLS()
            let origin = "https://127.0.0.1:\(server.httpsPort)"
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            let title = try await server.ingested("film.mp4")
            let expected = try await MediaClients.frameDigests(try await MovieFixture.bFrames.path())
            #expect(try await MediaClients.frameDigests(origin + title.playlist) == expected)
            _ = try await LiveTests.window(of: server, count: 2)
            #expect(try await MediaClients.codecs(origin + Self.playlist) == ["h264", "aac"])
            try await MediaClients.decode(origin + Self.playlist, seconds: 2)
            publisher.kill()
        }

        @Test func chromiumPlaysByHTTP2() async throws {
            let server = try await Self.servingTLS()
            let title = try await server.ingested("film.mp4")
            try await BrowserTests.expectPlaying(
                "https://127.0.0.1:\(server.httpsPort)/videoclub", title: title, flags: ["--ignore-certificate-errors"],
                until: [
                    "performance.getEntriesByType('navigation')[0].nextHopProtocol === 'h2'",
                    """
                    performance.getEntriesByType('resource').filter(entry => entry.name.endsWith('.m4s'))
                        .map(entry => entry.nextHopProtocol).join().match(/^h2,h2(,h2)*$/) !== null
                    """,
                ])
        }

        /// An HTTP/2 client that ignores GOAWAY.
        @Test func aSilentClientOfHTTP2DoesNotHoldUpShutdown() async throws {
            let server = try await Self.servingTLS()
            let client = try BackgroundProgram(
                "openssl",
                ["s_client", "-brief", "-ign_eof", "-alpn", "h2", "-connect", "127.0.0.1:\(server.httpsPort)"])
            _ = try await eventually("the handshake is over: \(client.errorOutput)") {
                client.errorOutput.contains("CONNECTION ESTABLISHED") ? true : nil
            }
            server.signal(SIGTERM)
            #expect(try await server.waitForExit(within: 5) == 0)
            client.kill()
        }

        @Test func aDefaultPortThatIsTakenIsDoneWithout() async throws {
            // If another program uses the port already, the test works as well.
            let first = try AntenaProcess(wowzaPort: "1935")
            try? await first.start()
            let second = try AntenaProcess(wowzaPort: nil)
            try await second.start()
            #expect(second.wowzaPort == 0)
            #expect(second.log.contains("--wowza-port"))
            #expect(try await second.request("/healthz").status == 200)
            second.signal(SIGTERM)
            #expect(try await second.waitForExit(within: 5) == 0)
        }
    }
}
