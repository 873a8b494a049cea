import Accounts
import MediaCore
import Testing
import Viewing

@testable import VideoClub

/// Every case of who may watch.
struct ViewingRulesTests {
    private static let restrictions: [TitleRestriction?] = [nil, .membersOnly, .rental(title: "film")]
    private static let decisions: [Decision] = [.allowed, .loginNeeded, .forbidden, .concealed]

    /// What the permissions refuse, no rental allows, and nothing is asked of the club.
    @Test(arguments: decisions.dropFirst())
    func whatMayNotBeReadIsNotWatched(_ reading: Decision) {
        for restriction in Self.restrictions {
            for isManager in [false, true] {
                for isMember in [false, true] {
                    let viewer = ViewingRules.Viewer(reading: reading, isManager: isManager, isMember: isMember)
                    #expect(ViewingRules.answer(viewer, restriction) == .decided(ViewingVerdict(reading)))
                }
            }
        }
    }

    /// Of those who may read it: (restriction, manages it, is a member) and the answer.
    private static let readers: [(TitleRestriction?, Bool, Bool, ViewingRules.Answer)] = [
        (nil, false, false, .decided(.allowed)),
        (nil, false, true, .decided(.allowed)),
        (nil, true, false, .decided(.allowed)),
        (nil, true, true, .decided(.allowed)),
        (.membersOnly, false, false, .decided(.loginNeeded)),
        (.membersOnly, false, true, .decided(.allowed)),
        (.membersOnly, true, false, .decided(.allowed)),
        (.membersOnly, true, true, .decided(.allowed)),
        (.rental(title: "film"), false, false, .decided(.loginNeeded)),
        (.rental(title: "film"), false, true, .rental(title: "film")),
        (.rental(title: "film"), true, false, .decided(.allowed)),
        (.rental(title: "film"), true, true, .decided(.allowed)),
    ]

    @Test(arguments: readers)
    func whoMayReadItNeedsWhatTheClubAsksFor(
        _ restriction: TitleRestriction?, _ isManager: Bool, _ isMember: Bool, _ answer: ViewingRules.Answer
    ) {
        let viewer = ViewingRules.Viewer(reading: .allowed, isManager: isManager, isMember: isMember)
        #expect(ViewingRules.answer(viewer, restriction) == answer)
    }

    @Test func aRentalIsGoodWhileItLasts() {
        let waiting = Self.rental(endsAt: nil)
        let active = Self.rental(endsAt: WallClockTime(millisecondsSince1970: 2_000_000))
        #expect(ViewingRules.verdict(of: .neverRented) == .denied(.needed))
        #expect(ViewingRules.verdict(of: .waiting(waiting)) == .denied(.notActivated))
        #expect(ViewingRules.verdict(of: .over(active)) == .denied(.over))
        #expect(ViewingRules.verdict(of: .active(active)) == .rented(active))
        #expect(ViewingRules.verdict(of: .active(waiting)) == .denied(.notActivated))
    }

    private static func rental(endsAt: WallClockTime?) -> Rental {
        let time = WallClockTime(millisecondsSince1970: 1_000_000)
        return Rental(
            number: 1, id: OpaqueID(), user: nil, titleNumber: 1, titleID: "film", titleName: "A film", price: 3,
            rentedAt: time, startsBefore: nil, timeToPlay: .seconds(60), activatedAt: endsAt.map { _ in time },
            endsAt: endsAt, endedAt: nil, endReason: nil, titleDuration: nil)
    }
}
