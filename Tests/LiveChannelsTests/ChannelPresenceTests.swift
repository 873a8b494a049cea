import MediaCore
import Testing
import TestSupport

@testable import LiveChannels

/// The publisher of a channel, without a channel.
struct ChannelPresenceTests {
    private struct Push: PresentPush {
        var identifier: String
        var note = ""
    }

    private typealias Presence = ChannelPresence<Push>

    private var presence = Presence()

    private mutating func admit(_ name: String, _ policy: PublishingPolicy.SecondPublisher = .refuse)
        -> Presence.Admission
    {
        presence.admit(Push(identifier: name), policy: policy, maximumWaitingCount: 2)
    }

    private mutating func end(_ name: String, isInterruption: Bool = true, now: WallClockTime) -> Presence.Ending {
        presence.ended(name, isInterruption: isInterruption, now: now) { $0.note = "next" }
    }

    /// A channel whose publisher `a` has left at the time 100.
    private static func abandoned() -> ChannelPresenceTests {
        var test = ChannelPresenceTests()
        _ = test.admit("a")
        test.presence.mediaBegins(now: 1)
        _ = test.end("a", now: 100)
        return test
    }

    @Test mutating func aPushIsAnnouncedThenLiveThenMissed() {
        #expect(presence.status == .idle && presence.since == nil && presence.shown == nil)
        guard case .shown = admit("a") else { Issue.record("not shown"); return }
        #expect(presence.status == .idle && presence.since == nil, "no media yet")
        presence.mediaBegins(now: 5)
        #expect(presence.status == .live && presence.since == 5 && presence.lostAt == nil)
        guard case .absent(wasSlate: false) = end("a", now: 9) else { Issue.record("not absent"); return }
        #expect(presence.status == .interrupted && presence.since == 9 && presence.lostAt == 9 && presence.isVacant)
    }

    @Test mutating func aPushThatEndsProperlyIsNotWaitedFor() {
        _ = admit("a")
        presence.mediaBegins(now: 5)
        _ = end("a", isInterruption: false, now: 9)
        #expect(presence.status == .idle && presence.lostAt == 9, "a slate may be shown nevertheless")
    }

    @Test(arguments: [
        (PublishingPolicy.SecondPublisher.refuse, 0), (.queue, 2), (.takeOver, .max),
    ]) mutating func thePolicyDecidesHowManyWait(policy: PublishingPolicy.SecondPublisher, limit: Int) {
        _ = admit("first", policy)
        for index in 0..<4 {
            switch admit("\(index)", policy) {
            case .shown: Issue.record("two publishers have the channel")
            case .waits(let displaced):
                #expect(index < limit)
                #expect(
                    displaced.map(\.identifier)
                        == (policy == .takeOver ? [index == 0 ? "first" : "\(index - 1)"] : []))
            case .refused(.busy(let holder)): #expect(index >= limit && holder.identifier == "first")
            case .refused(.closed): Issue.record("not closed")
            }
        }
        #expect(presence.shown?.identifier == "first")
    }

    @Test mutating func thoseWhoWaitFollowInTheirOrder() {
        _ = admit("a", .queue)
        presence.mediaBegins(now: 1)
        _ = admit("b", .queue)
        _ = admit("c", .queue)
        guard case .wasNotShown = end("b", now: 2) else { Issue.record("b was shown"); return }
        guard case .next(let next) = end("a", now: 3) else { Issue.record("nobody follows"); return }
        #expect(next.identifier == "c" && next.note == "next" && presence.waiting.isEmpty)
        #expect(presence.status == .interrupted && presence.lostAt == nil, "until its media begins")
        presence.mediaBegins(now: 4)
        #expect(presence.status == .live && presence.since == 4)
        guard case .wasNotShown = end("a", now: 5) else { Issue.record("a ended twice"); return }
        #expect(presence.shown?.identifier == "c")
    }

    @Test func theSlateWaitsForTheGracePeriodAndYieldsToAPublisher() {
        var test = Self.abandoned()
        let absence = test.presence.graceBegins()
        let isEarly = test.presence.show(slate: Push(identifier: "s"))
        #expect(absence == 100 && test.presence.slateIsDueSince == nil && !isEarly)
        let isForAnotherAbsence = test.presence.graceEnded(lostAt: 99)
        #expect(!isForAnotherAbsence && test.presence.slateIsDueSince == nil)
        let isForThisAbsence = test.presence.graceEnded(lostAt: 100)
        #expect(isForThisAbsence && test.presence.slateIsDueSince == 100)
        let isShown = test.presence.show(slate: Push(identifier: "s"))
        #expect(isShown && test.presence.isSlate && test.presence.status == .interrupted)
        test.presence.mediaBegins(now: 120)
        #expect(test.presence.since == 100, "the slate is not live media")
        guard case .waits(let displaced) = test.admit("b") else { Issue.record("b does not wait"); return }
        #expect(displaced.map(\.identifier) == ["s"])
        guard case .refused(.busy(let holder)) = test.admit("c") else { Issue.record("c is admitted"); return }
        #expect(holder.identifier == "b", "the channel is promised already")
        guard case .next(let next) = test.end("s", now: 130) else { Issue.record("b does not follow"); return }
        #expect(next.identifier == "b" && test.presence.waiting.isEmpty)
    }

    @Test func aPublisherEndsTheAbsenceAndItsTimer() {
        var test = Self.abandoned()
        _ = test.presence.graceBegins()
        _ = test.admit("b")
        let isAwaited = test.presence.graceEnded(lostAt: 100)
        #expect(!isAwaited && test.presence.lostAt == nil && test.presence.status == .interrupted)
    }

    @Test func anOperatorEndsTheSlateForTheWholeAbsence() {
        var test = Self.abandoned()
        _ = test.presence.show(slate: Push(identifier: "s"))
        test.presence.declineSlate()
        guard case .absent(wasSlate: true) = test.end("s", now: 200) else { Issue.record("not absent"); return }
        #expect(test.presence.status == .interrupted && test.presence.since == 200)
        let isShown = test.presence.show(slate: Push(identifier: "t"))
        #expect(test.presence.slateIsDueSince == nil && !isShown)
    }

    @Test func aSlateThatEndsByItselfIsFollowedByAnother() {
        var test = Self.abandoned()
        _ = test.presence.show(slate: Push(identifier: "s"))
        _ = test.end("s", now: 200)
        #expect(test.presence.slateIsDueSince == 100)
    }

    @Test func viewersStopWaiting() {
        var test = Self.abandoned()
        test.presence.waitingIsOver(at: 400)
        #expect(test.presence.status == .idle && test.presence.since == 400 && test.presence.lostAt == 100)
    }

    @Test mutating func aClosedChannelAdmitsNobodyAndForgetsTheAbsence() {
        _ = admit("a", .queue)
        presence.mediaBegins(now: 1)
        _ = admit("b", .queue)
        let pushes = presence.close(.closed)
        #expect(pushes.map(\.identifier) == ["a", "b"])
        guard case .refused(.closed) = admit("c", .takeOver) else { Issue.record("c is admitted"); return }
        guard case .absent(wasSlate: false) = end("a", now: 5) else { Issue.record("b follows"); return }
        let absence = presence.graceBegins()
        #expect(presence.lostAt == nil && absence == nil)
        let wasRetired = presence.reopen()
        #expect(!wasRetired)
    }

    @Test mutating func aRetiredChannelEndsWithItsPushUnlessItIsRevived() {
        _ = admit("a")
        presence.mediaBegins(now: 1)
        _ = presence.close(.retired)
        guard case .forGood = end("a", now: 5) else { Issue.record("not for good"); return }
        #expect(presence.status == .idle && presence.since == 5 && presence.lostAt == nil)
        let wasRetired = presence.reopen()
        #expect(wasRetired)
        guard case .shown = admit("b") else { Issue.record("b is not admitted"); return }
    }

    @Test mutating func aPushIsChangedWhereverItIs() {
        _ = admit("a", .queue)
        _ = admit("b", .queue)
        for name in ["a", "b", "unknown"] { presence.update(name) { $0.note = "changed" } }
        #expect(presence.shown?.note == "changed" && presence.waiting.map(\.note) == ["changed"])
    }
}
