import LiveChannels
import NIOCore
import RTSPProtocol
import Testing

@testable import RTSPServer

/// What strangers get by RTSP from a station that lets nobody in.
@Suite(.timeLimit(.minutes(1)))
struct AdmissionTests {
    private struct ClosedDoor: RTSPAdmission {
        func isForEveryone(channel: String) -> Bool { false }
        func isForEveryone(titleAt path: String) -> Bool { false }

        func decide(
            _ credential: RTSPAccountCredential, channel: String, from peer: SocketAddress?
        ) async -> RTSPAdmissionDecision { .refused }

        func decide(
            _ credential: RTSPAccountCredential?, playing subject: RTSPPlayedSubject, from peer: SocketAddress?
        ) async -> RTSPAdmissionDecision { .refused }
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
