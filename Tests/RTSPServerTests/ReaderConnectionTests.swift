import LiveChannels
import NIOCore
import RTPTransport
import RTSPProtocol
import Testing

@testable import RTSPServer

/// Readers and publishers on real connections to one server.
@Suite(.timeLimit(.minutes(1)))
struct ReaderConnectionTests {
    private static func push(_ range: Range<Int>, by publisher: RTSPTestPublisher) async throws {
        for packet in Script.frames(range.upperBound).dropFirst(range.lowerBound * 3) {
            try await publisher.send(packet, channel: 0)
        }
    }

    @Test func aReaderGetsWhatIsPublishedAndDescribeChangesNothing() async throws {
        try await withServer { running in
            var publisher = try await running.publisher()
            let session = try await Script.begin(&publisher, running.url)
            try await Self.push(0..<5, by: publisher)
            try await publisher.barrier(session)
            var reader = try await running.publisher()
            let describe = "DESCRIBE \(running.url) RTSP/1.0\r\nCSeq: 1\r\n\r\n"
            #expect(try await reader.request(describe).status.code == 200)
            let reading = try await reader.play(running.url)
            // The counter changes just after the response.
            try await running.wait { running.server.statistics().playingSessionCount == 1 }
            try await Self.push(5..<10, by: publisher)
            try await publisher.barrier(session)
            #expect(try await reader.request(describe).status.code == 200)
            try await Self.push(10..<15, by: publisher)
            try await publisher.barrier(session)
            try await reader.barrier(reading)
            try await reader.barrier(reading)
            let media = reader.frames.filter { $0.channel == 0 }.compactMap { frame -> RTPPacket? in
                var payload = frame.payload
                return try? RTPPacket(parsing: &payload)
            }
            // Frames since the key frame, and all later ones except the last, whose end is not known yet.
            #expect(Set(media.map(\.rtpTimestamp)).count >= 13)
            let numbers = media.map(\.sequenceNumber)
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 &+ 1 })
            // The push ends, and with it the playback.
            _ = try await publisher.request(
                "TEARDOWN \(running.url) RTSP/1.0\r\nCSeq: 9\r\nSession: \(session)\r\n\r\n")
            try await running.wait { running.server.statistics().closedConnectionCounts[.playbackEnded] == 1 }
            try await running.wait { running.server.statistics().playingSessionCount == 0 }
        }
    }

    @Test func aPublisherWhoDescribesItsOwnChannelGoesOnPublishing() async throws {
        try await withServer { running in
            var publisher = try await running.publisher()
            let session = try await Script.begin(&publisher, running.url)
            try await Self.push(0..<10, by: publisher)
            try await publisher.barrier(session)
            let channel = try #require(running.channels.channel(named: "canalA"))
            #expect(channel.playlist(named: "video") == nil)
            let described = try await publisher.request("DESCRIBE \(running.url) RTSP/1.0\r\nCSeq: 1\r\n\r\n")
            #expect(described.status.code == 200)
            try await Self.push(10..<130, by: publisher)
            try await publisher.barrier(session)
            // Segments of two seconds, of what came after.
            #expect(channel.playlist(named: "video") != nil)
            #expect(running.server.statistics().ignoredPacketCount == 0)
            try await publisher.close()
        }
    }

    @Test func whoHasDescribedSomethingMayPublishInstead() async throws {
        try await withServer { running in
            var publisher = try await running.publisher()
            let session = try await Script.begin(&publisher, running.url)
            try await Self.push(0..<5, by: publisher)
            try await publisher.barrier(session)
            var other = try await running.publisher()
            #expect(try await other.request("DESCRIBE \(running.url) RTSP/1.0\r\nCSeq: 1\r\n\r\n").status.code == 200)
            let second = running.url.replacing("canalA", with: "canalB")
            let otherSession = try await Script.begin(&other, second)
            try await Self.push(0..<10, by: other)
            try await other.barrier(otherSession)
            try await running.wait { try running.status("canalB").state == .live }
            #expect(running.server.statistics().ignoredPacketCount == 0)
            try await publisher.close()
            try await other.close()
        }
    }

    @Test func whatComesWhileAPublisherPausesIsIgnored() async throws {
        try await withServer { running in
            var publisher = try await running.publisher()
            let session = try await Script.begin(&publisher, running.url)
            try await Self.push(0..<10, by: publisher)
            let pause = "PAUSE \(running.url) RTSP/1.0\r\nCSeq: 4\r\nSession: \(session)\r\n\r\n"
            #expect(try await publisher.request(pause).status.code == 200)
            try await Self.push(10..<12, by: publisher)
            try await publisher.barrier(session)
            try await running.wait { running.server.statistics().ignoredPacketCount == 6 }
            #expect(try running.status("canalA").publisher != nil)
            #expect(try await publisher.request(Script.record(running.url)).status.code == 200)
            try await Self.push(30..<40, by: publisher)
            try await publisher.barrier(session)
            #expect(running.server.statistics().ignoredPacketCount == 6)
            #expect(try running.status("canalA").state == .live)
            try await publisher.close()
        }
    }
}
