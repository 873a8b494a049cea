import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Playback over RTSP with common readers.
    @Suite struct RTSPReadingTests {
        @Test(arguments: ["tcp", "udp"])
        func readsALiveChannel(_ transport: String) async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await eventually("canalA is live") {
                try await server.channelState("canalA") == "live" ? true : nil
            }
            let frames = try await MediaClients.frameDigests(
                LiveTests.address(server), transport: transport, limit: 50)
            #expect(frames.count == 50)
            // The test pattern moves, so no two frames are equal, and no frame is missing in between.
            #expect(Set(frames).count == 50)
            #expect(publisher.isRunning)
            publisher.kill()
        }

        /// The reader receives every frame of the file exactly once, with either transport.
        @Test(arguments: ["tcp", "udp"])
        func readsATitle(_ transport: String) async throws {
            let source = try await MovieFixture.bFrames.path()
            let server = try await VideoOnDemandTests.servingOneFilm()
            let title = try await server.ingested("film.mp4")
            let expected = try await MediaClients.frameDigests(source)
            for path in ["/vod/\(title.id)", "/vod/mp4:film.mp4"] {
                let frames = try await MediaClients.frameDigests(
                    "rtsp://127.0.0.1:\(server.rtspPort)\(path)", transport: transport, limit: 60)
                #expect(frames == Array(expected.prefix(60)))
            }
        }

        /// mpv plays a channel without the latency of HLS, for example for an operator.
        @Test(arguments: ["tcp", "udp"])
        func mpvPlaysAChannelAndATitle(_ transport: String) async throws {
            let server = try await VideoOnDemandTests.servingOneFilm()
            let title = try await server.ingested("film.mp4")
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await eventually("canalA is live") {
                try await server.channelState("canalA") == "live" ? true : nil
            }
            for url in [LiveTests.address(server), "rtsp://127.0.0.1:\(server.rtspPort)/vod/\(title.id)"] {
                let folder = try TemporaryDirectory(label: "mpv")
                let result = try await ExternalTool("mpv").run([
                    "--no-config", "--ao=null", "--rtsp-transport=\(transport)", "--frames=50", "--vo=image",
                    "--vo-image-format=jpg", "--vo-image-outdir=\(folder.path)", url,
                ])
                #expect(result.text.contains("(+) Video --vid=1") && result.text.contains("(+) Audio --aid=1"))
                let frames = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(frames.count == 50, "\(url): \(result.text.suffix(500))")
            }
            #expect(publisher.isRunning)
            publisher.kill()
        }

        @Test func startsATitleWhereTheReaderAsks() async throws {
            let source = try await MovieFixture.noBFrames.path()
            let server = try await AntenaProcess.serving { folder in
                try FileManager.default.copyItem(atPath: source, toPath: folder.file("media/vod/film.mp4"))
            }
            _ = try await server.ingested("film.mp4")
            let port = server.rtspPort
            try await offCooperativePool {
                let url = "rtsp://127.0.0.1:\(port)/vod/film"
                let reader = try TCPConnection(port: port)
                try reader.send("DESCRIBE \(url) RTSP/1.0\r\nCSeq: 1\r\n\r\n")
                let described = try reader.read(until: "\r\n\r\n")
                #expect(described.hasPrefix("RTSP/1.0 200") && described.contains("application/sdp"))
                let length = try #require(described.firstMatch(of: /Content-Length: ([0-9]+)/)?.1)
                let sdp = String(decoding: try reader.read(count: Int(length) ?? 0), as: UTF8.self)
                #expect(sdp.contains("a=range:npt=0-") && sdp.contains("sprop-parameter-sets="))
                try reader.send(
                    "SETUP \(url)/trackID=0 RTSP/1.0\r\nCSeq: 2\r\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n\r\n"
                )
                let setUp = try reader.read(until: "\r\n\r\n")
                let session = try #require(setUp.firstMatch(of: /Session: ([0-9]+)/)?.1)
                try reader.send("PLAY \(url) RTSP/1.0\r\nCSeq: 3\r\nSession: \(session)\r\nRange: npt=5-\r\n\r\n")
                let playing = try reader.read(until: "\r\n\r\n")
                #expect(playing.contains("RTP-Info: url=") && playing.contains("Range: npt="))
                // Playback starts at the key frame at or before the time.
                let start = try #require(playing.firstMatch(of: /Range: npt=([0-9.]+)-/)?.1)
                #expect((Double(start) ?? 99) <= 5 && (Double(start) ?? 0) >= 3)
                #expect(try reader.read(count: 4)[0] == UInt8(ascii: "$"))
                // A range after the end is refused, and the session continues.
                let late = try TCPConnection(port: port)
                try late.send("PLAY \(url) RTSP/1.0\r\nCSeq: 1\r\nSession: 1\r\n\r\n")
                #expect(try late.read(until: "\r\n\r\n").hasPrefix("RTSP/1.0 454"))
            }
        }

        @Test func tellsReadersWhatIsNotThere() async throws {
            let server = try await AntenaProcess.serving()
            let port = server.rtspPort
            try await offCooperativePool {
                for path in ["/live/canalA.stream", "/live/none.stream", "/vod/none", "/x"] {
                    let reader = try TCPConnection(port: port)
                    try reader.send("DESCRIBE rtsp://127.0.0.1:\(port)\(path) RTSP/1.0\r\nCSeq: 1\r\n\r\n")
                    #expect(try reader.read(until: "\r\n\r\n").hasPrefix("RTSP/1.0 404"), "\(path)")
                }
            }
        }

        @Test func aReaderThatStopsReadingHoldsUpNobody() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await eventually("canalA is live") {
                try await server.channelState("canalA") == "live" ? true : nil
            }
            let port = server.rtspPort
            let stuck = try await offCooperativePool {
                let url = "rtsp://127.0.0.1:\(port)/live/canalA.stream"
                let reader = try TCPConnection(port: port)
                try reader.send(
                    "SETUP \(url)/trackID=0 RTSP/1.0\r\nCSeq: 2\r\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n\r\n"
                )
                let session = try #require(
                    try reader.read(until: "\r\n\r\n").firstMatch(of: /Session: ([0-9]+)/)?.1)
                try reader.send("PLAY \(url) RTSP/1.0\r\nCSeq: 3\r\nSession: \(session)\r\n\r\n")
                #expect(try reader.read(until: "\r\n\r\n").hasPrefix("RTSP/1.0 200"))
                return reader
            }
            let frames = try await MediaClients.frameDigests(LiveTests.address(server), transport: "tcp", limit: 50)
            #expect(Set(frames).count == 50)
            #expect(publisher.isRunning)
            withExtendedLifetime(stuck) {}
            publisher.kill()
        }
    }
}
