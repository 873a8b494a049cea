import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Channels that are fetched from another server, and copied to one: a second Antena is camera and service.
    @Suite struct RelayTests {
        private struct Pair {
            let camera: AntenaProcess
            let station: AntenaProcess
            let publisher: BackgroundProgram
        }

        /// A server with a push on canalA, and one that relays.
        private static func pair(
            _ fields: (AntenaProcess) -> [String: String], onCamera: [String: String] = [:]
        ) async throws -> Pair {
            let camera = try AntenaProcess(extraArguments: ["--srt", "127.0.0.1:0"], channelFields: onCamera)
            try await camera.start()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(camera))
            try await live(camera, "canalA")
            let station = try AntenaProcess(channelFields: fields(camera))
            try await station.start()
            return Pair(camera: camera, station: station, publisher: publisher)
        }

        private static func live(_ server: AntenaProcess, _ channel: String) async throws {
            _ = try await eventually("\(channel) is live: \(server.log.suffix(1_500))", within: 40) {
                try await server.channelState(channel) == "live" ? true : nil
            }
        }

        private static func transport(_ server: AntenaProcess, _ channel: String) async throws -> String? {
            let status = try await server.request("/api/v1/channels/\(channel)").json["publisher"] as? [String: Any]
            return status?["transport"] as? String
        }

        private static func playlist(_ server: AntenaProcess, _ channel: String) -> String {
            "\(server.origin)/live/\(channel).stream/playlist.m3u8"
        }

        private static func relays(_ server: AntenaProcess, _ channel: String) async throws -> [String: String] {
            let items = try await server.request("/api/v1/channels/\(channel)/relays").json["items"] as? [[String: Any]]
            return Dictionary(
                (items ?? []).map { ($0["id"] as? String ?? "", $0["state"] as? String ?? "") },
                uniquingKeysWith: { first, _ in first })
        }

        @Test func channelsAreFetchedByRTSPAndRTMPAndSRT() async throws {
            let pair = try await Self.pair { camera in
                [
                    "canalA": #""source": "rtsp://127.0.0.1:\#(camera.rtspPort)/live/canalA.stream""#,
                    "canalB": #""source": "rtmp://127.0.0.1:\#(camera.wowzaPort)/live/canalA""#,
                    "canalC": #""source": "srt://127.0.0.1:\#(camera.srtPort)?streamid=read:canalA""#,
                    "canalD": """
                    "source": "rtsp://127.0.0.1:\(camera.rtspPort)/live/canalA.stream", "sourceTransport": "udp"
                    """,
                ]
            }
            for (channel, transport) in [
                ("canalA", "RTSP/TCP"), ("canalB", "RTMP"), ("canalC", "SRT"), ("canalD", "RTSP/UDP"),
            ] {
                try await Self.live(pair.station, channel)
                #expect(try await Self.transport(pair.station, channel) == transport)
                let url = Self.playlist(pair.station, channel)
                #expect(try await MediaClients.codecs(url) == ["h264", "aac"])
                try await MediaClients.decode(url, seconds: 1)
                #expect(try await Self.relays(pair.station, channel) == ["source": "running"])
            }
            let metrics = try await pair.station.request("/metrics").text
            for sample in ["antena_relay_running", "antena_relay_attempts_total"] {
                #expect(metrics.contains("\(sample){channel=\"canalB\",relay=\"source\"} 1\n"), "\(sample)")
            }
            pair.publisher.kill()
        }

        @Test(arguments: ["", "?format=ts"])
        func aChannelIsFetchedByHLS(_ query: String) async throws {
            let pair = try await Self.pair { camera in
                ["canalA": #""source": "\#(Self.playlist(camera, "canalA"))\#(query)""#]
            }
            try await Self.live(pair.station, "canalA")
            _ = try await LiveTests.window(of: pair.station, count: 3)
            try await MediaClients.decode(Self.playlist(pair.station, "canalA"), seconds: 2)
            #expect(try await MediaClients.codecs(Self.playlist(pair.station, "canalA")) == ["h264", "aac"])
            pair.publisher.kill()
        }

        @Test(arguments: [("udp", "mpegts", "?pkt_size=1316"), ("rtp", "rtp_mpegts", "")])
        func transportStreamsComeByDatagrams(_ scheme: String, _ format: String, _ query: String) async throws {
            let port = try UDPPorts.freeRange(count: 2)
            let station = try AntenaProcess(channelFields: [
                "canalA": #""source": "\#(scheme)://127.0.0.1:\#(port)""#
            ])
            try await station.start()
            let sender = try BackgroundProgram(
                "ffmpeg",
                [
                    "-v", "error", "-nostdin", "-re", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-re", "-f",
                    "lavfi", "-i", "sine=frequency=440:sample_rate=48000", "-t", "60",
                ] + BackgroundProgram.h264 + BackgroundProgram.aac + [
                    "-f", format, "\(scheme)://127.0.0.1:\(port)\(query)",
                ])
            try await Self.live(station, "canalA")
            #expect(try await Self.transport(station, "canalA") == scheme.uppercased())
            _ = try await LiveTests.window(of: station, count: 2)
            try await MediaClients.decode(Self.playlist(station, "canalA"), seconds: 1)
            sender.kill()
        }

        /// A source on demand is fetched for the first viewer, whose playlist waits, and left after the last one.
        @Test func aSourceOnDemandIsFetchedWhileSomebodyWatches() async throws {
            let pair = try await Self.pair { camera in
                [
                    "canalA": """
                    "source": "rtsp://127.0.0.1:\(camera.rtspPort)/live/canalA.stream", "onDemand": true
                    """
                ]
            }
            #expect(try await Self.relays(pair.station, "canalA")["source"] == "waiting")
            #expect(try await pair.station.channelState("canalA") == "idle")
            let reply = try await pair.station.request("/live/canalA.stream/playlist.m3u8")
            #expect(reply.status == 200 && reply.text.hasPrefix("#EXTM3U"))
            try await Self.live(pair.station, "canalA")
            _ = try await eventually("nobody watches any more", within: 60) {
                try await Self.relays(pair.station, "canalA")["source"] == "waiting" ? true : nil
            }
            pair.publisher.kill()
        }

        /// With a login by Digest, which is in no log.
        @Test func copiesLogIn() async throws {
            let service = try AntenaProcess(channelFields: ["canalA": PublishingTests.credentials])
            try await service.start()
            let station = try AntenaProcess(channelFields: [
                "canalA": #""restreams": ["rtsp://ana:secreto@127.0.0.1:\#(service.rtspPort)/live/canalA.stream"]"#
            ])
            try await station.start()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(station))
            try await Self.live(service, "canalA")
            #expect(!station.log.contains("secreto"))
            let shown = try await station.request("/api/v1/channels/canalA/relays").text
            #expect(shown.contains("rtsp://127.0.0.1") && !shown.contains("secreto"))
            publisher.kill()
        }

        /// Copies go on when the service comes back, and are started and stopped.
        @Test func channelsAreCopiedElsewhere() async throws {
            let service = try AntenaProcess(extraArguments: ["--srt", "127.0.0.1:0"])
            try await service.start()
            let station = try AntenaProcess(channelFields: [
                "canalA": """
                "restreams": ["rtmp://127.0.0.1:\(service.wowzaPort)/live/canalB.stream",
                  "srt://127.0.0.1:\(service.srtPort)?streamid=publish:canalC",
                  "rtsp://127.0.0.1:\(service.rtspPort)/live/canalD.stream"]
                """
            ])
            try await station.start()
            #expect(try await Self.relays(station, "canalA").values.allSatisfy { $0 == "waiting" })
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(station))
            for channel in ["canalB", "canalC", "canalD"] {
                try await Self.live(service, channel)
                try await MediaClients.decode(Self.playlist(service, channel), seconds: 1)
            }
            let stopped = try await station.request(
                "/api/v1/channels/canalA/relays/restream-1", method: "POST",
                headers: ["Content-Type": "application/json"], body: #"{"action": "stop"}"#)
            #expect(stopped.status == 200)
            _ = try await eventually("the copy has ended") {
                try await service.channelState("canalB") != "live" ? true : nil
            }
            let started = try await station.command([
                "relay", "start", "canalA", "restream-1", "--server", station.origin,
            ])
            #expect(started.status == 0)
            try await Self.live(service, "canalB")
            #expect(publisher.isRunning)
            publisher.kill()
        }
    }
}
