import Foundation
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    /// An Android app written for Wowza: its requests on the shared port, its media over UDP.
    @Suite struct LibstreamingTests {
        /// A publishing app: its connection, and ffmpeg as its camera, on the ports of its SETUP requests.
        private struct Push {
            var client: LibstreamingClient
            let connection: TCPConnection
            var cSeq = 0

            init(port: Int) throws {
                client = LibstreamingClient(url: "rtsp://127.0.0.1:\(port)/live/canalA.stream")
                connection = try TCPConnection(port: port)
            }

            /// Sends a request and returns the head of the response; the library reads lines up to the first short one.
            mutating func ask(_ request: (LibstreamingClient, Int) -> String) throws -> String {
                cSeq += 1
                try connection.send(request(client, cSeq))
                return try connection.read(until: "\r\n\r\n")
            }

            static func header(_ name: String, of answer: String) -> String? {
                answer.split(separator: "\r\n").last { $0.hasPrefix("\(name): ") }
                    .map { String($0.dropFirst(name.count + 2)) }
            }

            mutating func announce(password: String?) throws {
                var answer = try ask { $0.announce($1) }
                try client.readSession(try #require(Self.header("Session", of: answer)))
                if let password {
                    #expect(answer.hasPrefix("RTSP/1.0 401 "))
                    let challenge = try #require(Self.header("WWW-Authenticate", of: answer))
                    try client.logIn(user: "ana", password: password, challenge: challenge)
                    answer = try ask { $0.announce($1) }
                }
                #expect(answer.hasPrefix("RTSP/1.0 200 "), "\(answer)")
            }

            /// - Returns: the server's port.
            mutating func setUp(track: Int, port: Int) throws -> Int {
                let answer = try ask { $0.setup(track: track, port: port, $1) }
                #expect(answer.hasPrefix("RTSP/1.0 200 "), "\(answer)")
                let transport = try #require(Self.header("Transport", of: answer))
                return try #require(client.serverPort(transport: transport))
            }
        }

        private static func camera(
            _ source: String, _ codec: [String], from port: Int, to serverPort: Int
        ) throws -> BackgroundProgram {
            try BackgroundProgram(
                "ffmpeg",
                ["-hide_banner", "-loglevel", "error", "-nostdin", "-re", "-f", "lavfi", "-i", source] + codec
                    + [
                        "-t", "120", "-payload_type", "96", "-f", "rtp",
                        "rtp://127.0.0.1:\(serverPort)?localrtpport=\(port)&localrtcpport=\(port + 1)&pkt_size=1300",
                    ])
        }

        @Test(arguments: [nil, "secreto"])
        func publishesAsItDoesToWowza(password: String?) async throws {
            let server = try AntenaProcess(
                channelFields: password == nil ? [:] : ["canalA": PublishingTests.credentials])
            try await server.start()
            let port = server.wowzaPort
            var push = try await offCooperativePool {
                var push = try Push(port: port)
                try push.announce(password: password)
                return push
            }
            let audioPort = try UDPPorts.freeRange(count: 4)
            let audioServerPort = try push.setUp(track: 0, port: audioPort)
            let audio = try Self.camera(
                "sine=sample_rate=44100", ["-c:a", "aac", "-ac", "1", "-b:a", "64k"], from: audioPort,
                to: audioServerPort)
            let videoPort = audioPort + 2
            let videoServerPort = try push.setUp(track: 1, port: videoPort)
            // The announced parameter sets belong to another camera; those in the stream take precedence.
            let video = try Self.camera(
                "testsrc2=size=320x240:rate=25", BackgroundProgram.h264 + ["-bsf:v", "dump_extra"], from: videoPort,
                to: videoServerPort)
            let recording = try push.ask { $0.record($1) }
            #expect(recording.hasPrefix("RTSP/1.0 200 "), "\(recording)")
            let window = try await LiveTests.window(of: server, count: 3)
            #expect(HLSConformance.check(window).map(\.description) == [])
            let url = server.origin + LiveTests.playlist
            #expect(try await MediaClients.codecs(url) == ["h264", "aac"])
            try await MediaClients.decode(url, seconds: 2)
            let tracks = try await server.request("/api/v1/channels/canalA").json["tracks"] as? [[String: Any]]
            #expect(tracks?.contains { $0["width"] as? Int == 320 && $0["height"] as? Int == 240 } == true)
            try push.connection.send(push.client.teardown(push.cSeq + 1))
            if password != nil { #expect(try push.connection.read(until: "\r\n\r\n").hasPrefix("RTSP/1.0 200 ")) }
            push.connection.closeForWriting()
            _ = try await eventually("the push has ended; \(server.log.suffix(1_500))") {
                try await server.channelState("canalA") == "live" ? nil : true
            }
            for camera in [audio, video] { camera.kill() }
        }
    }
}
