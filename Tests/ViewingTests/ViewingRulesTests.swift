import Accounts
import MediaAccess
import MediaCore
import Testing
import Viewing

@testable import VideoClub

/// Every case of who may watch.
struct ViewingRulesTests {
    private static let restrictions: [TitleRestriction?] = [nil, .membersOnly, .rental(title: "film")]
    private static let decisions: [Decision] = [.allowed, .loginNeeded, .forbidden, .concealed]
    private static let end = WallClockTime(millisecondsSince1970: 2_000_000)
    private static let allowed = ViewingVerdict.allowed(until: nil)

    /// The facts about a viewer whom only their account can admit.
    private static func facts(
        _ viewer: ViewingFacts.Viewer, _ restriction: TitleRestriction?, _ credentials: ViewingFacts.Credential...
    ) -> ViewingFacts {
        var facts = ViewingFacts(stranger: .loginNeeded, credentials: Set(credentials))
        (facts.viewer, facts.restriction) = (viewer, .some(restriction))
        return facts
    }

    // MARK: Accounts

    /// If the permissions refuse, no rental admits, and nothing is asked of the club.
    @Test(arguments: decisions.dropFirst())
    func whatMayNotBeReadIsNotWatched(_ reading: Decision) {
        for restriction in Self.restrictions {
            for isManager in [false, true] {
                for isMember in [false, true] {
                    let viewer = ViewingFacts.Viewer(reading: reading, isManager: isManager, isMember: isMember)
                    let step = ViewingRules.step(Self.facts(viewer, restriction))
                    #expect(step == .decided(ViewingVerdict(reading)))
                }
            }
        }
    }

    /// Of those who may read it: (restriction, manages it, is a member) and the answer.
    private static let readers: [(TitleRestriction?, Bool, Bool, ViewingStep)] = [
        (nil, false, false, .decided(allowed)),
        (nil, false, true, .decided(allowed)),
        (nil, true, false, .decided(allowed)),
        (nil, true, true, .decided(allowed)),
        (.membersOnly, false, false, .decided(.loginNeeded)),
        (.membersOnly, false, true, .decided(allowed)),
        (.membersOnly, true, false, .decided(allowed)),
        (.membersOnly, true, true, .decided(allowed)),
        (.rental(title: "film"), false, false, .decided(.loginNeeded)),
        (.rental(title: "film"), false, true, .ask(.rental(title: "film"))),
        (.rental(title: "film"), true, false, .decided(allowed)),
        (.rental(title: "film"), true, true, .decided(allowed)),
    ]

    @Test(arguments: readers)
    func whoMayReadItNeedsWhatTheClubAsksFor(
        _ restriction: TitleRestriction?, _ isManager: Bool, _ isMember: Bool, _ step: ViewingStep
    ) {
        let viewer = ViewingFacts.Viewer(reading: .allowed, isManager: isManager, isMember: isMember)
        #expect(ViewingRules.step(Self.facts(viewer, restriction)) == step)
    }

    @Test func aRentalIsGoodWhileItLasts() {
        let waiting = Self.rental(endsAt: nil)
        let active = Self.rental(endsAt: Self.end)
        #expect(ViewingRules.right(of: .neverRented) == .failure(.needed))
        #expect(ViewingRules.right(of: .waiting(waiting)) == .failure(.notActivated))
        #expect(ViewingRules.right(of: .over(active)) == .failure(.over))
        #expect(ViewingRules.right(of: .active(active)) == .success(active))
        #expect(ViewingRules.right(of: .active(waiting)) == .failure(.notActivated))
    }

    @Test(arguments: [.needed, .notActivated, .over, .tooManyPlayers(limit: 2)] as [RentalDenial])
    func whatTheRentalDoesNotAllowIsDenied(_ denial: RentalDenial) {
        let viewer = ViewingFacts.Viewer(reading: .allowed, isManager: false, isMember: true)
        var facts = Self.facts(viewer, .rental(title: "film"), .hook)
        facts.rental = .failure(denial)
        #expect(ViewingRules.step(facts) == .decided(.denied(denial)))
    }

    // MARK: Downloads

    /// The signature, whether the title is hidden, and the denial.
    @Test(
        arguments: [
            (.valid(seconds: 9), nil, nil), (.valid(seconds: 9), false, nil), (.valid(seconds: 9), true, .hidden),
            (.expired, nil, nil),
            (.expired, false, .expired), (.expired, true, .hidden), (.wrong, nil, .wrongAddress),
            (.wrong, false, .wrongAddress), (.revoked, nil, .wrongAddress), (.revoked, true, .wrongAddress),
            (.unavailable, nil, .unavailable), (.unavailable, false, .unavailable),
        ] as [(SignatureDecision, Bool?, DownloadDenial?)])
    func aDownloadNeedsAnAddressThatThisServerHasSigned(
        _ signature: SignatureDecision, _ isHidden: Bool?, _ denial: DownloadDenial?
    ) {
        #expect(ViewingRules.denial(signature, isHidden: isHidden) == denial)
    }

    // MARK: Order

    @Test func whatIsForEveryoneNeedsNoCredential() {
        var facts = ViewingFacts(stranger: .allowed, credentials: [.token, .tokenInAddress, .hook])
        #expect(ViewingRules.step(facts) == .ask(.restriction))
        facts.restriction = .some(nil)
        #expect(ViewingRules.step(facts) == .decided(.open))
    }

    @Test func aCredentialIsAskedInItsTurn() {
        var facts = ViewingFacts(stranger: .allowed, credentials: Set(ViewingFacts.Credential.allCases))
        #expect(ViewingRules.step(facts) == .ask(.signature))
        facts.credentials.remove(.signature)
        #expect(ViewingRules.step(facts) == .ask(.restriction))
        facts.restriction = .rental(title: "film")
        #expect(ViewingRules.step(facts) == .ask(.token))
        facts.credentials = [.hook]
        #expect(ViewingRules.step(facts) == .ask(.viewer))
        facts.viewer = .stranger(.allowed)
        #expect(ViewingRules.step(facts) == .ask(.hook))
    }

    /// Links, tokens and the operator's program do not open what was hidden; an account may.
    @Test func whatWasHiddenIsOpenedByAccountsOnly() {
        var facts = ViewingFacts(stranger: .concealed, credentials: Set(ViewingFacts.Credential.allCases))
        (facts.isHidden, facts.isConcealed, facts.restriction) = (true, true, .some(nil))
        #expect(ViewingRules.step(facts) == .ask(.viewer))
        facts.viewer = .stranger(.concealed)
        #expect(ViewingRules.step(facts) == .decided(.concealed))
        facts.viewer = .init(reading: .allowed, isManager: false, isMember: true)
        #expect(ViewingRules.step(facts) == .decided(Self.allowed))
    }

    // MARK: Signatures

    /// (answer, conceals, may need a rental, strangers may) and the verdict; `nil` for a link that is not valid.
    private static let signatures:
        [(ViewingFacts.SignatureAnswer, conceals: Bool, rented: Bool, Decision, ViewingVerdict?)] = [
            (.decided(.valid(seconds: 5)), true, true, .concealed, .signed(seconds: 5)),
            (.denied(.over), false, true, .allowed, .denied(.over)),
            (.decided(.wrong), false, false, .allowed, nil),
            (.decided(.wrong), false, true, .allowed, nil),
            (.decided(.wrong), true, false, .concealed, .concealed),
            (.decided(.expired), false, false, .allowed, nil),
            (.decided(.expired), true, false, .concealed, nil),
            (.decided(.expired), false, true, .allowed, .denied(.over)),
            (.decided(.revoked), false, true, .allowed, nil),
            (.decided(.unavailable), false, false, .allowed, .unavailable),
        ]

    @Test(arguments: signatures)
    func aSignatureIsWorthWhatItSays(
        _ answer: ViewingFacts.SignatureAnswer, _ conceals: Bool, _ rented: Bool, _ stranger: Decision,
        _ verdict: ViewingVerdict?
    ) {
        var facts = ViewingFacts(stranger: stranger, credentials: [.signature])
        (facts.isConcealed, facts.mayBeRestricted, facts.mayNeedRental) = (conceals, rented, rented)
        facts.signature = answer
        switch ViewingRules.step(facts) {
        case .decided(.linkNotValid): #expect(verdict == nil)
        case let step: #expect(verdict.map { .decided($0) } == step)
        }
    }

    private func denial(
        _ mark: String, needsRental: Bool = false, begins: Bool = false, endsFilms: Bool = false, early: Bool = false
    ) -> RentalDenial? {
        let signature = MediaSignature(expiresAt: 5_000, id: "rental\(mark)", code: "")
        return ViewingRules.denial(
            of: signature, mayNeedRental: needsRental, beginsPlayback: begins, endsFilms: endsFilms,
            isEndedEarly: early, at: Self.end)
    }

    @Test func aSignatureEndsWithWhatItWasMadeFor() {
        #expect(denial("") == nil && denial("", needsRental: true, begins: true, endsFilms: true) == nil)
        #expect(denial("~free") == nil && denial("~free", needsRental: true) == .needed)
        // The time is 2,000 s.
        for (start, isOver) in [("~2001", false), ("~2000", true), ("~1999", true)] {
            #expect(denial(start) == nil)
            #expect(denial(start, begins: true) == (isOver ? .over : nil))
            #expect(denial(start, endsFilms: true) == (isOver ? .over : nil))
        }
        #expect(denial("", early: true) == .over && denial("~2001~s-abc", early: true) == .over)
    }

    // MARK: Tokens and the operator's program

    /// (answer, conceals) and the verdict for a token that is sent again, and for one that stands in the address.
    private static let tokens: [(ViewingFacts.TokenAnswer, conceals: Bool, ViewingVerdict, ViewingVerdict)] = [
        (.allows(until: end), false, .allowed(until: end), .allowedOnce(until: end)),
        (.allows(until: end), true, .allowed(until: end), .allowedOnce(until: end)),
        (.allowsOther, false, .forbidden, .forbidden),
        (.allowsOther, true, .concealed, .concealed),
        (.notValid(reason: "r"), false, .linkNotValid(reason: "r"), .linkNotValid(reason: "r")),
        (.notValid(reason: "r"), true, .concealed, .concealed),
    ]

    @Test(arguments: tokens)
    func aTokenIsTheWordOfAnotherSystem(
        _ answer: ViewingFacts.TokenAnswer, _ conceals: Bool, _ sentAgain: ViewingVerdict, _ sentOnce: ViewingVerdict
    ) {
        for (credential, verdict) in [(ViewingFacts.Credential.token, sentAgain), (.tokenInAddress, sentOnce)] {
            for restriction in Self.restrictions {
                var facts = ViewingFacts(stranger: conceals ? .concealed : .loginNeeded, credentials: [credential])
                (facts.isConcealed, facts.restriction, facts.token) = (conceals, .some(restriction), answer)
                #expect(ViewingRules.step(facts) == .decided(verdict))
            }
        }
    }

    /// The program lets in whom nothing else does; whom their account is forbidden something stays out.
    @Test(arguments: decisions) func theProgramIsAskedLast(_ reading: Decision) {
        let asks = reading == .loginNeeded || reading == .concealed
        let viewer = ViewingFacts.Viewer(reading: reading, isManager: false, isMember: false)
        var facts = Self.facts(viewer, nil, .hook)
        #expect(ViewingRules.step(facts) == (asks ? .ask(.hook) : .decided(ViewingVerdict(reading))))
        guard asks else { return }
        let answers: [(ViewingFacts.HookAnswer, ViewingVerdict)] = [
            (.allows(until: nil), Self.allowed), (.allows(until: Self.end), .allowedOnce(until: Self.end)),
            (.refuses, ViewingVerdict(reading)), (.unavailable, .unavailable),
        ]
        for (answer, verdict) in answers {
            facts.hook = answer
            #expect(ViewingRules.step(facts) == .decided(verdict))
        }
    }

    private static func rental(endsAt: WallClockTime?) -> Rental {
        let time = WallClockTime(millisecondsSince1970: 1_000_000)
        return Rental(
            number: 1, id: OpaqueID(), user: nil, titleNumber: 1, titleID: "film", titleName: "A film", price: 3,
            rentedAt: time, startsBefore: nil, timeToPlay: .seconds(60), activatedAt: endsAt.map { _ in time },
            endsAt: endsAt, endedAt: nil, endReason: nil, titleDuration: nil)
    }
}
