import LiveChannels
import MediaCore
import NIOCore
import RTSPProtocol
import StreamConnections
import Synchronization
import Testing

@testable import RTSPServer

/// The answers to strangers by RTSP at a station that admits nobody.
@Suite(.timeLimit(.minutes(1)))
struct AdmissionTests {
    private struct ClosedDoor: StreamAdmission {
        func isForEveryone(_ subject: MediaSubject?) -> Bool { false }
        func isEndedEarly(_ rental: StreamRental, from peer: SocketAddress?) -> Bool { false }
        func isHidden(_ subject: MediaSubject?) -> Bool { false }

        func decide(
            _ credential: StreamCredential, channel: String, from peer: SocketAddress?
        ) async -> StreamAdmissionDecision { .refused }

        func decide(
            _ credential: StreamCredential?, playing subject: MediaSubject?, at path: String,
            from peer: SocketAddress?
        ) async -> StreamAdmissionDecision { .refused }
    }

    /// Lets everybody play for a time.
    private struct TimedDoor: StreamAdmission {
        let time: Duration?

        func isForEveryone(_ subject: MediaSubject?) -> Bool { false }
        func isEndedEarly(_ rental: StreamRental, from peer: SocketAddress?) -> Bool { false }
        func isHidden(_ subject: MediaSubject?) -> Bool { false }

        func decide(
            _ credential: StreamCredential, channel: String, from peer: SocketAddress?
        ) async -> StreamAdmissionDecision { .refused }

        func decide(
            _ credential: StreamCredential?, playing subject: MediaSubject?, at path: String,
            from peer: SocketAddress?
        ) async -> StreamAdmissionDecision { .admitted(username: "ana", for: time) }
    }

    /// Lets everybody play with a rental, until the test ends it.
    private final class RentedDoor: StreamAdmission {
        let isEnded = Atomic(false)

        func isForEveryone(_ subject: MediaSubject?) -> Bool { false }
        func isEndedEarly(_ rental: StreamRental, from peer: SocketAddress?) -> Bool {
            rental.id == "rental" && isEnded.load(ordering: .relaxed)
        }
        func isHidden(_ subject: MediaSubject?) -> Bool { false }

        func decide(
            _ credential: StreamCredential, channel: String, from peer: SocketAddress?
        ) async -> StreamAdmissionDecision { .refused }

        func decide(
            _ credential: StreamCredential?, playing subject: MediaSubject?, at path: String,
            from peer: SocketAddress?
        ) async -> StreamAdmissionDecision {
            .admitted(username: "ana", for: .seconds(3_600), rental: StreamRental(id: "rental", session: "s"))
        }
    }

    /// Lets everybody play, until the test hides what is played.
    private final class HidingDoor: StreamAdmission {
        let isHiding = Atomic(false)

        func isForEveryone(_ subject: MediaSubject?) -> Bool { true }
        func isEndedEarly(_ rental: StreamRental, from peer: SocketAddress?) -> Bool { false }
        func isHidden(_ subject: MediaSubject?) -> Bool { isHiding.load(ordering: .relaxed) }

        func decide(
            _ credential: StreamCredential, channel: String, from peer: SocketAddress?
        ) async -> StreamAdmissionDecision { .refused }

        func decide(
            _ credential: StreamCredential?, playing subject: MediaSubject?, at path: String,
            from peer: SocketAddress?
        ) async -> StreamAdmissionDecision { .open }
    }

    @Test func aReadersPlaybackEndsWithARentalThatEndsEarly() async throws {
        let door = RentedDoor()
        try await withServer(admission: door, publishing: PublishingPolicy(access: .anyone)) { running in
            var publisher = try await running.publisher()
            let session = try await Script.begin(&publisher, running.url)
            for packet in Script.frames(5) { try await publisher.send(packet, channel: 0) }
            try await publisher.barrier(session)
            var reader = try await running.publisher()
            let described = try await reader.request("DESCRIBE \(running.url) RTSP/1.0\r\nCSeq: 1\r\n\r\n")
            #expect(described.status.code == 200)
            _ = try await reader.play(running.url)
            try await running.wait { running.server.statistics().playingSessionCount == 1 }
            #expect(running.server.statistics().closedConnectionCounts[.playbackEnded] == nil)
            door.isEnded.store(true, ordering: .relaxed)
            try await running.wait { running.server.statistics().closedConnectionCounts[.playbackEnded] == 1 }
            #expect(running.server.statistics().playingSessionCount == 0)
            try await reader.close()
            try await publisher.close()
        }
    }

    @Test func aReadersPlaybackEndsWhenItIsHidden() async throws {
        let door = HidingDoor()
        try await withServer(admission: door, publishing: PublishingPolicy(access: .anyone)) { running in
            var publisher = try await running.publisher()
            let session = try await Script.begin(&publisher, running.url)
            for packet in Script.frames(5) { try await publisher.send(packet, channel: 0) }
            try await publisher.barrier(session)
            var reader = try await running.publisher()
            let described = try await reader.request("DESCRIBE \(running.url) RTSP/1.0\r\nCSeq: 1\r\n\r\n")
            #expect(described.status.code == 200)
            _ = try await reader.play(running.url)
            try await running.wait { running.server.statistics().playingSessionCount == 1 }
            #expect(running.server.statistics().closedConnectionCounts[.playbackEnded] == nil)
            door.isHiding.store(true, ordering: .relaxed)
            try await running.wait { running.server.statistics().closedConnectionCounts[.playbackEnded] == 1 }
            #expect(running.server.statistics().playingSessionCount == 0)
            try await reader.close()
            try await publisher.close()
        }
    }

    @Test(arguments: [nil, .zero] as [Duration?]) func aReadersPlaybackEndsWithItsTime(_ time: Duration?) async throws {
        try await withServer(admission: TimedDoor(time: time), publishing: PublishingPolicy(access: .anyone)) {
            running in
            var publisher = try await running.publisher()
            let session = try await Script.begin(&publisher, running.url)
            for packet in Script.frames(5) { try await publisher.send(packet, channel: 0) }
            try await publisher.barrier(session)
            var reader = try await running.publisher()
            let described = try await reader.request("DESCRIBE \(running.url) RTSP/1.0\r\nCSeq: 1\r\n\r\n")
            #expect(described.status.code == 200)
            if time == nil {
                let options = try await reader.request("OPTIONS \(running.url) RTSP/1.0\r\nCSeq: 2\r\n\r\n")
                #expect(options.status.code == 200)
                #expect(running.server.statistics().closedConnectionCounts[.playbackEnded] == nil)
            } else {
                try await running.wait { running.server.statistics().closedConnectionCounts[.playbackEnded] == 1 }
            }
            try await reader.close()
            try await publisher.close()
        }
    }

    /// The answer to a stranger's first request. A method without a line fails the test.
    private static let rules: [RTSPMethod: Int] = [
        // Says which methods there are.
        .options: 200,
        // What plays: described, or set up without a description.
        .describe: 401, .setup: 401, .play: 455, .pause: 455,
        // What pushes.
        .announce: 401, .record: 455,
        // Keep a session alive, and change nothing.
        .getParameter: 200, .setParameter: 200,
        // There is no session.
        .teardown: 454,
    ]

    @Test func everyMethodHasARule() {
        #expect(Set(Self.rules.keys) == Set(RTSPSessionStateMachine.supportedMethods))
    }

    @Test(arguments: RTSPSessionStateMachine.supportedMethods) func strangersGetNothing(_ method: RTSPMethod)
        async throws
    {
        let expected = try #require(Self.rules[method])
        try await withServer(admission: ClosedDoor(), publishing: PublishingPolicy(access: .accounts)) { running in
            for credential in ["", "Authorization: Basic YW5hOndyb25n\r\n"] {
                var stranger = try await running.publisher()
                let url = running.url
                let request =
                    switch method {
                    case .announce: Script.announce(url)
                    case .setup:
                        "SETUP \(url)/trackID=0 RTSP/1.0\r\nCSeq: 2\r\n"
                            + "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n\r\n"
                    default: "\(method) \(url) RTSP/1.0\r\nCSeq: 1\r\n\r\n"
                    }
                let answer = try await stranger.request(
                    request.replacing("\r\nCSeq", with: "\r\n\(credential)CSeq", maxReplacements: 1))
                #expect(answer.status.code == expected, "\(method) \(credential)")
                try await stranger.close()
            }
            #expect(try running.status("canalA").publisher == nil)
            #expect(running.server.statistics().playingSessionCount == 0)
        }
    }
}
