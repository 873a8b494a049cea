import NIOCore
import Testing

@testable import RTSPProtocol

/// Every method in every state (RFC 2326 §A.2).
struct RTSPStateAndMethodTests {
    typealias Session = RTSPTestSession

    static let methods: [RTSPMethod] =
        RTSPSessionStateMachine.supportedMethods + [.redirect, RTSPMethod("BREW")]

    /// Columns as in ``RTSPTestSession/Phase``: idle, described · announced, ready, recording, recordingPaused ·
    /// reader, playing, playingPaused · closed.
    static let table: [RTSPMethod: [Session.Outcome]] = [
        .options: row(200, 200, 200, 200, 200, 200, 200, 200, 200),
        .describe: [.describe, .describe, .describe, .describe, .describe, .describe, .describe, .describe, .describe]
            + [.nothing],
        .announce: [.evaluate, .evaluate] + row(455, 455, 455, 455, 455, 455, 455),
        // A track that is not set up yet: streamid=1 of the publisher, trackID=1 of the reader.
        .setup: [.describe, .prepare, .prepare, .prepare, .status(455), .prepare, .prepare, .status(455), .prepare]
            + [.nothing],
        .play: [.status(455), .status(455)] + [.status(405), .status(405), .status(405), .status(405)]
            + [.play, .status(200), .play, .nothing],
        .pause: [.status(455), .status(455), .status(455), .status(455), .pause, .status(455)]
            + [.status(455), .pause, .status(455), .nothing],
        .record: [.status(455), .status(455), .status(455), .record, .status(200), .record]
            + row(405, 405, 405),
        .getParameter: row(200, 200, 200, 200, 200, 200, 200, 200, 200),
        .setParameter: row(200, 200, 200, 200, 200, 200, 200, 200, 200),
        .teardown: [.status(454), .status(454), .end, .end, .end, .end, .end, .end, .end, .nothing],
        .redirect: row(405, 405, 405, 405, 405, 405, 405, 405, 405),
        RTSPMethod("BREW"): row(501, 501, 501, 501, 501, 501, 501, 501, 501),
    ]

    /// The status of each response; no response if the machine is closed.
    static func row(_ codes: Int...) -> [Session.Outcome] { codes.map { .status($0) } + [.nothing] }

    @Test(arguments: methods) func answersTheMethodInEveryState(method: RTSPMethod) throws {
        let expected = try #require(Self.table[method], "a method without a row")
        try #require(expected.count == Session.Phase.allCases.count, "a state without a column")
        for (phase, outcome) in zip(Session.Phase.allCases, expected) {
            var machine = Session.machine(in: phase)
            let action = machine.receive(Self.request(method, in: phase), now: Session.start)
            #expect(Session.outcome(action) == outcome, "\(method) in \(phase)")
            #expect(machine.isAwaitingVerdict == [.evaluate, .describe, .prepare, .record, .play].contains(outcome))
            if let response = Session.response(action) { #expect(response.headers["CSeq"] == "5") }
        }
    }

    @Test func thereIsARowForEveryMethodAndNoOther() {
        #expect(Set(Self.table.keys) == Set(Self.methods))
    }

    static func request(_ method: RTSPMethod, in phase: Session.Phase) -> RTSPRequest {
        switch method {
        case .announce: Session.announce
        case .setup:
            switch phase {
            case .announced, .ready, .recording, .recordingPaused: Session.setup("streamid=1")
            case .idle, .described, .reader, .playing, .playingPaused, .closed: Session.readerSetup("trackID=1")
            }
        default: Session.request(method)
        }
    }

    /// Refusals list the allowed methods (RFC 2326 §11.3.5, §11.3.6), and those must then be accepted.
    @Test(arguments: Session.Phase.allCases) func allowTellsTheTruth(phase: Session.Phase) throws {
        var machine = Session.machine(in: phase)
        guard case .reply(let refusal) = machine.receive(Session.request(.redirect), now: Session.start) else {
            #expect(phase == .closed)
            return
        }
        let allowed = try #require(refusal.headers["Allow"]).split(separator: ", ").map { RTSPMethod(String($0)) }
        let column = try #require(Session.Phase.allCases.firstIndex(of: phase))
        for (method, outcomes) in Self.table where method != .redirect && method != RTSPMethod("BREW") {
            let isRefused = [.status(405), .status(454), .status(455)].contains(outcomes[column])
            #expect(allowed.contains(method) == !isRefused, "\(method) in \(phase)")
        }
    }

    @Test func thePublicHeaderTellsTheTruth() throws {
        var machine = Session.machine(in: .idle)
        let response = try #require(Session.answer(Session.request(.options, uri: "*"), in: &machine))
        let methods = try #require(response.headers["Public"]).split(separator: ", ").map { RTSPMethod(String($0)) }
        for (method, outcomes) in Self.table {
            let isKnown = outcomes.contains { $0 != .status(405) && $0 != .status(501) && $0 != .nothing }
            #expect(methods.contains(method) == isKnown, "\(method)")
        }
    }
}
