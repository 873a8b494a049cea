import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import LiveChannels
@testable import RTPTransport
@testable import RTSPProtocol
import StreamConnections

@testable import RTSPServer

@Suite(.timeLimit(.minutes(1)))
struct RTSPServerTests {
    @Test func aPushOverTCPGoesLiveAndEndsWithTeardown() async throws {
        try await withServer { running in
            var publisher = try await running.publisher()
            let session = try await Script.begin(&publisher, running.url + "?preset=high")
            #expect(try running.status("canalA").publisher?.transport == "RTSP/TCP")
            for packet in Script.frames(40) { try await publisher.send(packet, channel: 0) }
            try await publisher.barrier(session)
            let status = try running.status("canalA")
            #expect(status.state == .live)
            #expect(status.tracks.first?.codec == "H.264")
            #expect(status.packetsLost == 0)
            #expect(running.server.statistics().recordingSessionCount == 1)
            let end = try await publisher.request(
                "TEARDOWN \(running.url) RTSP/1.0\r\nCSeq: 9\r\nSession: \(session)\r\n\r\n")
            #expect(end.status.code == 200)
            #expect(try running.status("canalA").publisher == nil)
            #expect(try running.status("canalA").state == .idle)
            // The connection can be used for another push.
            _ = try await Script.begin(&publisher, running.url)
            try await publisher.close()
            try await running.wait { try running.status("canalA").publisher == nil }
        }
    }

    /// Splits every interleaved frame in two, and joins others.
    @Test func framesThatReadsCutInTwoArriveWhole() async throws {
        try await withServer { running in
            var publisher = try await running.publisher()
            let session = try await Script.begin(&publisher, running.url)
            var stream = Script.stream(Script.frames(31))
            while stream.readableBytes > 0, let piece = stream.readSlice(length: min(37, stream.readableBytes)) {
                try await publisher.send(piece)
            }
            try await publisher.barrier(session)
            #expect(try running.status("canalA").state == .live)
            let statistics = running.server.statistics()
            #expect(statistics.malformedPacketCount == 0 && statistics.lostPacketCount == 0)
        }
    }

    @Test func aPushOverUDPGoesLive() async throws {
        try await withServer { running in
            var publisher = try await running.publisher()
            let session = try #require(
                try await publisher.request(Script.announce(running.url)).headers["Session"]?.split(separator: ";")
                    .first)
            let setup = try await publisher.request(
                Script.setup(running.url, transport: "RTP/AVP;unicast;client_port=30000-30001;mode=record"))
            let transport = try #require(RTSPTransport.offers(parsing: setup.headers["Transport"] ?? "").first)
            let port = try #require(transport.serverPorts?.rtp)
            #expect(port % 2 == 0 && (21_000...21_999).contains(port))
            #expect(
                setup.headers["Transport"]?.contains("client_port=30000-30001;server_port=\(port)-\(port + 1);") == true
            )
            #expect(try await publisher.request(Script.record(running.url)).status.code == 200)
            #expect(try running.status("canalA").publisher?.transport == "RTSP/UDP")
            let socket = try await DatagramBootstrap(group: running.loop).bind(host: "127.0.0.1", port: 0).get()
            let target = try SocketAddress(ipAddress: "127.0.0.1", port: Int(port))
            var packets = Script.frames(31)
            packets.swapAt(10, 11)
            for packet in packets {
                var bytes = ByteBuffer()
                packet.write(into: &bytes)
                try await socket.writeAndFlush(AddressedEnvelope(remoteAddress: target, data: bytes))
            }
            try await running.wait { try running.status("canalA").state == .live }
            // The datagram comes from an address other than the publisher's.
            let foreign = try await DatagramBootstrap(group: running.loop).bind(host: "127.0.0.2", port: 0).get()
            try await foreign.writeAndFlush(AddressedEnvelope(remoteAddress: target, data: ByteBuffer(string: "x")))
            try await running.wait { running.server.statistics().foreignDatagramCount == 1 }
            try await publisher.barrier(String(session))
            #expect(try running.status("canalA").packetsLost == 0)
            try await foreign.close()
            try await socket.close()
        }
    }

    static let audioSDP = "v=0\r\nm=audio 0 RTP/AVP 97\r\na=rtpmap:97 vorbis/48000/2\r\n"
    static let refusals: [(path: String, sdp: String, status: Int)] = [
        ("/live/none.stream", Script.videoSDP, 404), ("/live/canalA", Script.videoSDP, 404),
        ("/vod/canalA.stream", Script.videoSDP, 404), ("/", Script.videoSDP, 404),
        ("/live/canalA.stream", audioSDP, 415),
        ("/live/canalA.stream", Script.videoSDP + "m=audio 0 RTP/AVP 96\r\na=rtpmap:96 G723/8000\r\n", 415),
        ("/live/canalA.stream", "v=0\r\nm=application 0 RTP/AVP 98\r\n", 415),
        (
            "/live/canalA.stream",
            "v=0\r\n" + String(repeating: "m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n", count: 9), 415
        ),
        ("/live/canalA.stream?preset=none", Script.videoSDP, 451), ("/live/canalA.stream", "x", 400),
    ]

    @Test func refusesWhatItCannotTakeAndSaysWhy() async throws {
        try await withServer { running in
            for (path, sdp, status) in Self.refusals {
                var publisher = try await running.publisher()
                let response = try await publisher.request(Script.announce("rtsp://127.0.0.1\(path)", sdp: sdp))
                #expect(response.status.code == status, "\(path) \(response.status.reasonPhrase)")
                try await publisher.close()
            }
            let counts = running.server.statistics().refusedRequestCounts
            #expect(counts == Dictionary(grouping: Self.refusals, by: \.status).mapValues(\.count))
        }
    }

    @Test func refusesASecondPublisher() async throws {
        try await withServer { running in
            var first = try await running.publisher()
            var rival = try await running.publisher()
            #expect(try await rival.request(Script.announce(running.url)).status.code == 200)
            #expect(try await rival.request(Script.setup(running.url, transport: Script.tcp)).status.code == 200)
            let session = try await Script.begin(&first, running.url)
            var second = try await running.publisher()
            let response = try await second.request(Script.announce(running.url))
            #expect(response.status.code == 453)
            #expect(response.status.reasonPhrase.hasPrefix("Channel In Use"))
            #expect(response.headers["Session"] != nil)
            #expect(try await rival.request(Script.record(running.url)).status.code == 453)
            try await first.barrier(session)
            #expect(try running.status("canalA").publisher != nil)
        }
    }

    /// The requests of libstreaming's RtspClient with their flaws, which Tests/TestSupport/LibstreamingClient.swift
    /// reproduces.
    @Test func takesLibstreamingAsItIs() async throws {
        try await withServer { running in
            var client = LibstreamingClient(url: running.url)
            var publisher = try await running.publisher()
            let announced = try await publisher.request(client.announce(1))
            #expect(announced.status.code == 200 && announced.headers["CSeq"] == "1")
            let header = try #require(announced.headers["Session"])
            try client.readSession(header)
            #expect(header.dropFirst(client.session.count).first == ";")
            for track in 0..<2 {
                let port = 5_004 + 2 * track
                let setup = try await publisher.request(client.setup(track: track, port: port, track + 2))
                #expect(setup.status.code == 200)
                let transport = try #require(setup.headers["Transport"])
                #expect(transport.contains("client_port=\(port)-\(port + 1);"))
                #expect(client.serverPort(transport: transport) != nil)
            }
            let record = try await publisher.request(client.record(4))
            #expect(record.status.code == 200 && record.headers["CSeq"] == nil)
            #expect(try running.status("canalA").tracks.map(\.type) == ["audio", "video"])
            try await publisher.send(client.teardown(5))
            try await publisher.close()
            try await running.wait { running.server.statistics().closedConnectionCounts[.teardown] == 1 }
            #expect(try running.status("canalA").publisher == nil)
        }
    }

    static let garbage: [(bytes: String, status: Int)] = [
        ("\u{1}\u{2}garbage\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("OPTIONS * RTSP/1.0\r\nX: " + String(repeating: "x", count: 100_000), 400),
        ("OPTIONS * RTSP/1.0\r\n" + String(repeating: "X: y\r\n", count: 10_000), 400),
        ("ANNOUNCE rtsp://h/x RTSP/1.0\r\nContent-Length: 1000000000\r\n\r\n", 413),
    ]

    @Test func answersGarbageAndClosesAndGoesOnServing() async throws {
        try await withServer { running in
            for (bytes, status) in Self.garbage {
                var publisher = try await running.publisher()
                let response = try await publisher.request(bytes)
                #expect(response.status.code == status)
                #expect(try await publisher.response() == nil)
            }
            #expect(running.server.statistics().closedConnectionCounts[.protocolError] == Self.garbage.count)
            var publisher = try await running.publisher()
            _ = try await Script.begin(&publisher, running.url)
        }
    }

    @Test func packetsOfTracksThatAreNotSetUpAreCountedAndIgnored() async throws {
        try await withServer { running in
            var publisher = try await running.publisher()
            let packet = Script.packet(1, [0x65, 1])
            try await publisher.send(packet, channel: 0)
            _ = try await publisher.request(Script.announce(running.url))
            try await publisher.send(packet, channel: 0)
            #expect(try await publisher.request(Script.setup(running.url, transport: Script.tcp)).status.code == 200)
            try await publisher.send(packet, channel: 0)
            #expect(try await publisher.request(Script.record(running.url)).status.code == 200)
            try await publisher.send(packet, channel: 8)
            try await publisher.send(Script.packet(1, [0x65, 1], type: 99), channel: 0)
            try await publisher.barrier("")
            try await running.wait { running.server.statistics().ignoredPacketCount == 5 }
        }
    }

    @Test func limitsConnectionsOfOneAddress() async throws {
        try await withServer({ $0.limits.maximumConnectionsPerAddress = 2 }) { running in
            var kept = [try await running.publisher(), try await running.publisher()]
            for (index, name) in ["canalA", "canalB"].enumerated() {
                _ = try await Script.begin(&kept[index], running.url.replacing("canalA", with: name))
            }
            var third = try await running.publisher()
            #expect(try await third.response() == nil)
            #expect(running.server.statistics().refusedConnectionCounts == [.tooManyFromAddress: 1])
        }
    }

    @Test func idleConnectionsMakeRoomForAPublisher() async throws {
        try await withServer({ $0.limits.maximumConnectionCount = 8 }) { running in
            var idle: [RTSPTestPublisher] = []
            for _ in 0..<8 {
                idle.append(try await running.publisher())
                _ = try await idle[idle.count - 1].request("OPTIONS * RTSP/1.0\r\n\r\n")
            }
            var publisher = try await running.publisher()
            _ = try await Script.begin(&publisher, running.url)
            #expect(try await idle[0].response() == nil)
            #expect(try await idle[1].request("OPTIONS * RTSP/1.0\r\n\r\n").status.code == 200)
            let statistics = running.server.statistics()
            #expect(statistics.closedConnectionCounts == [.evicted: 1] && statistics.refusedConnectionCounts.isEmpty)
        }
    }

    /// A server with 50 pairs of ports, and untrusted clients that set up as many tracks and play nothing.
    @Test func readersWhoDoNotPlayLeavePortsForAPublisherAndGiveTheirsBack() async throws {
        try await withServer({
            $0.udpPortRange = 22_500...22_599
            $0.limits.setUpPatience = .milliseconds(1)
        }) { running in
            var publisher = try await running.publisher()
            let session = try await Script.begin(&publisher, running.url)
            for packet in Script.frames(5) { try await publisher.send(packet, channel: 0) }
            try await publisher.barrier(session)
            var readers: [RTSPTestPublisher] = []
            for port in 0..<60 {
                var reader = try await running.publisher()
                let transport = "RTP/AVP;unicast;client_port=\(30_000 + 2 * port)-\(30_001 + 2 * port)"
                let answer = try await reader.request(
                    "SETUP \(running.url)/trackID=0 RTSP/1.0\r\nCSeq: 2\r\nTransport: \(transport)\r\n\r\n")
                #expect(answer.status.code == 200)
                readers.append(reader)
            }
            // The address has its share; each further reader takes the ports of an earlier one.
            try await running.wait { running.server.statistics().closedConnectionCounts[.evicted] == 48 }
            var second = try await running.publisher()
            let url = running.url.replacing("canalA", with: "canalB")
            #expect(try await second.request(Script.announce(url)).status.code == 200)
            let setUp = try await second.request(
                Script.setup(url, transport: "RTP/AVP;unicast;client_port=40000-40001;mode=record"))
            #expect(setUp.status.code == 200)
        }
    }

    @Test func optionsDoNotKeepAConnectionThatIsOfNoUse() async throws {
        try await withServer({ $0.limits.timeouts.withoutMedia = .milliseconds(300) }) { running in
            var publisher = try await running.publisher()
            _ = try await Script.begin(&publisher, running.url)
            var idle = try await running.publisher()
            // The request is repeated until the server closes the connection.
            repeat { try? await idle.send("OPTIONS * RTSP/1.0\r\n\r\n") } while (try? await idle.response()) != nil
            try await running.wait { running.server.statistics().closedConnectionCounts[.noMedia] ?? 0 >= 1 }
            #expect(try running.status("canalA").publisher != nil)
        }
    }

    @Test func theLogOfARefusedPushNamesTheChannelThatWasAskedFor() async throws {
        let log = RecordedLog()
        try await withServer(log: log) { running in
            var first = try await running.publisher()
            _ = try await Script.begin(&first, running.url)
            for name in ["canalA", "none"] {
                var publisher = try await running.publisher()
                let url = running.url.replacing("canalA", with: name)
                #expect(try await publisher.request(Script.announce(url)).status.code == (name == "none" ? 404 : 453))
                try await publisher.close()
            }
            var lost = try await running.publisher()
            #expect(try await lost.request(Script.record(running.url)).status.code == 455)
        }
        let refusals = log.metadata(of: "RTSP request refused")
        #expect(refusals.map { $0["channel.name"] } == ["canalA", "none", nil])
        #expect(refusals.map { $0["rtsp.status"] } == ["453", "404", "455"])
        // The sequence number of the request on its connection.
        #expect(refusals.map { $0["rtsp.cseq"] } == ["1", "1", "3"])
    }

    @Test func endsHalfOpenConnections() async throws {
        try await withServer({ $0.limits.timeouts.firstRequest = .milliseconds(100) }) { running in
            var silent = try await running.publisher()
            // On a busy machine, the server may have closed the connection before this is written.
            try? await silent.send("OPTIONS * RT")
            #expect((try? await silent.response()) == nil)
            try await running.wait {
                running.server.statistics().closedConnectionCounts[.firstRequestTimeout] == 1
            }
        }
    }

    @Test func endsSilentPublishers() async throws {
        try await withServer({ $0.limits.timeouts.idle = .milliseconds(300) }) { running in
            var publisher = try await running.publisher()
            _ = try? await Script.begin(&publisher, running.url)
            #expect((try? await publisher.response()) == nil)
            try await running.wait { running.server.statistics().closedConnectionCounts[.idleTimeout] == 1 }
            #expect(try running.status("canalA").publisher == nil)
        }
    }

    @Test func sendsReceiverReports() async throws {
        try await withServer({ $0.limits.receiverReportInterval = .milliseconds(20) }) { running in
            var publisher = try await running.publisher()
            let session = try await Script.begin(&publisher, running.url)
            try await publisher.send(Script.packet(7, [0x65, 1]), channel: 0)
            while publisher.frames.isEmpty { try await publisher.barrier(session) }
            var payload = publisher.frames[0].payload
            guard publisher.frames[0].channel == 1,
                case .receiverReport(let report)? = try RTCPPacket.parseCompound(&payload).first
            else {
                Issue.record("not a receiver report")
                return
            }
            #expect(report.blocks.first?.source == 5 && report.blocks.first?.extendedHighestSequenceNumber == 7)
        }
    }

    @Test func shutdownAndKickEndPushes() async throws {
        try await withServer { running in
            var kicked = try await running.publisher()
            _ = try await Script.begin(&kicked, running.url)
            var other = try await running.publisher()
            _ = try await Script.begin(&other, running.url.replacing("canalA", with: "canalB"))
            running.channels.channel(named: "canalA")?.kick(reason: "test")
            #expect(try await kicked.response() == nil)
            #expect(running.server.statistics().closedConnectionCounts[.kicked] == 1)
            // The other connection ends with the server.
            #expect(running.server.statistics().recordingSessionCount == 1)
        }
    }
}
