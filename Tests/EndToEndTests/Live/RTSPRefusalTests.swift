import Foundation
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct RTSPRefusalTests {
        private static let h264 = """
            v=0\r
            o=- 0 0 IN IP4 127.0.0.1\r
            s=test\r
            c=IN IP4 127.0.0.1\r
            t=0 0\r
            m=video 0 RTP/AVP 96\r
            a=rtpmap:96 H264/90000\r
            a=control:trackID=0\r

            """

        private func announce(_ path: String, _ description: String, port: Int) -> String {
            """
            ANNOUNCE rtsp://127.0.0.1:\(port)\(path) RTSP/1.0\r
            CSeq: 1\r
            Content-Type: application/sdp\r
            Content-Length: \(description.utf8.count)\r
            \r
            \(description)
            """
        }

        /// - Returns: the status code of the response.
        private func answer(to request: String, of server: AntenaProcess) async throws -> Int? {
            let port = server.rtspPort
            return try await offCooperativePool {
                let connection = try TCPConnection(port: port)
                try connection.send(request)
                let words = try connection.read(until: "\r\n").split(separator: " ")
                return words.count > 1 ? Int(words[1]) : nil
            }
        }

        @Test func refusesAPathThatIsNoChannel() async throws {
            let server = try await AntenaProcess.serving()
            let request = announce("/live/canalZ.stream", Self.h264, port: server.rtspPort)
            #expect(try await answer(to: request, of: server) == 404)
            _ = try await eventually("a log line", within: 5) { server.log.contains("canalZ") ? true : nil }
        }

        @Test func refusesACodecItDoesNotKnow() async throws {
            let server = try await AntenaProcess.serving()
            let description = Self.h264.replacingOccurrences(of: "H264/90000", with: "H261/90000")
            let request = announce("/live/canalA.stream", description, port: server.rtspPort)
            #expect(try await answer(to: request, of: server) == 415)
            _ = try await eventually("a log line", within: 5) { server.log.contains("H261") ? true : nil }
        }

        @Test func refusesASecondPublisher() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await eventually("canalA goes live") {
                try await server.channelState("canalA") == "live" ? true : nil
            }
            let request = announce("/live/canalA.stream", Self.h264, port: server.rtspPort)
            #expect(try await answer(to: request, of: server) == 453)
            _ = try await eventually("a log line", within: 5) {
                server.log.contains("already has a publisher") ? true : nil
            }
            #expect(publisher.isRunning)
            publisher.kill()
        }

        enum Nonsense: CaseIterable {
            case garbage
            case endlessHeader
            case tooLargeBody

            var bytes: [UInt8] {
                switch self {
                case .garbage: (0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
                case .endlessHeader:
                    Array("OPTIONS * RTSP/1.0\r\nX: ".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: 4 << 20)
                case .tooLargeBody:
                    Array(
                        """
                        ANNOUNCE rtsp://h/live/canalA.stream RTSP/1.0\r
                        CSeq: 1\r
                        Content-Type: application/sdp\r
                        Content-Length: 999999999\r
                        \r

                        """.utf8)
                }
            }
        }

        /// The request is repeated, because responses in progress must not matter when the peer resets the connection.
        @Test(arguments: Nonsense.allCases)
        func endsAConnectionThatSendsNonsense(_ nonsense: Nonsense) async throws {
            let server = try await AntenaProcess.serving()
            let port = server.rtspPort
            let bytes = nonsense.bytes
            for _ in 0..<5 {
                let hasEnded = try await offCooperativePool {
                    let connection = try TCPConnection(port: port, timeout: 20)
                    // The server may close before it has read everything.
                    try? connection.send(bytes)
                    return connection.waitForEnd()
                }
                #expect(hasEnded)
            }
            #expect(server.isRunning)
            #expect(try await answer(to: "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n", of: server) == 200)
        }

        /// Both connections wait for the server's time limit together.
        @Test func closesConnectionsThatNeverFinishARequest() async throws {
            let server = try await AntenaProcess.serving()
            let port = server.rtspPort
            let hasEnded = try await offCooperativePool {
                let beginnings = ["", "ANNOUNCE rtsp://h/live/canalA.stream RTSP/1.0\r\nCSeq: 1\r\n"]
                let connections = try beginnings.map { beginning in
                    let connection = try TCPConnection(port: port, timeout: 20)
                    try connection.send(beginning)
                    return connection
                }
                return connections.map { $0.waitForEnd() }
            }
            #expect(hasEnded == [true, true])
            #expect(try await answer(to: "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n", of: server) == 200)
        }

        @Test func bearsInterleavedDataForATrackThatWasNotSetUp() async throws {
            let server = try await AntenaProcess.serving()
            let port = server.rtspPort
            let status = try await offCooperativePool {
                let connection = try TCPConnection(port: port)
                try connection.send([0x24, 6, 0, 12] + [UInt8](repeating: 0x80, count: 12))
                try connection.send("OPTIONS * RTSP/1.0\r\nCSeq: 7\r\n\r\n")
                return try? connection.read(until: "\r\n")
            }
            // The request was answered or the connection closed; in both cases the next connection is served.
            #expect(status == nil || status?.hasPrefix("RTSP/1.0 ") == true)
            #expect(try await answer(to: "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n", of: server) == 200)
        }
    }
}
