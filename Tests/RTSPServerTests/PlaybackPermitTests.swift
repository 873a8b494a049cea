import MediaCore
import NIOCore
import StreamConnections
import Testing

@testable import RTSPServer

struct PlaybackPermitTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
    private let rental = StreamRental(id: "r", session: "s")
    private let title = MediaSubject(path: "/vod/film")

    private func end(
        _ permit: PlaybackPermit, at now: NIODeadline, endedEarly: Set<String> = [], hidden: [MediaSubject?] = []
    ) -> PlaybackEndReason? {
        permit.end(at: now, isEndedEarly: { endedEarly.contains($0.id) }, isHidden: { hidden.contains($0) })
    }

    @Test func whatIsForEveryoneEndsOnlyIfItIsHidden() {
        let permit = PlaybackPermit(of: title)
        #expect(end(permit, at: .distantFuture, endedEarly: ["r"]) == nil)
        #expect(end(permit, at: start, hidden: [title]) == .hidden)
        #expect(permit.nextCheck(after: start) == start + TimeAmount(RTSPServerLimits.playbackCheckInterval))
    }

    /// A reader that may play hidden titles goes on.
    @Test func whatWasHiddenBeforeEndsForNobody() {
        #expect(end(PlaybackPermit(of: nil), at: .distantFuture, hidden: [title]) == nil)
    }

    @Test func aRentalEndsInTimeAndEarly() {
        var permit = PlaybackPermit(of: title)
        permit.admit(for: .milliseconds(600), rental: rental, at: start)
        #expect(end(permit, at: start + .milliseconds(599)) == nil)
        #expect(end(permit, at: start + .milliseconds(600)) == .timeOver)
        #expect(end(permit, at: start, endedEarly: ["r"]) == .rentalEndedEarly)
        #expect(end(permit, at: start, endedEarly: ["another"]) == nil)
        // The end is not noticed later than it comes.
        #expect(permit.nextCheck(after: start + .milliseconds(500)) == start + .milliseconds(600))
    }

    /// A reader that plays something else next has the right of that, and nothing of the one before.
    @Test func anotherSubjectHasAnotherPermit() {
        var permit = PlaybackPermit(of: title)
        permit.admit(for: .seconds(1), rental: rental, at: start)
        permit = PlaybackPermit(of: MediaSubject(path: "/live/canalA.stream"))
        #expect(permit == PlaybackPermit(of: MediaSubject(path: "/live/canalA.stream")))
        #expect(end(permit, at: .distantFuture, endedEarly: ["r"]) == nil)
    }
}
