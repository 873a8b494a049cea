import Accounts
package import MediaAccess
package import MediaCore
package import VideoClub

/// The rules of who may watch, without questions to anybody. HLS, RTSP, `/api/v1/authorize` and downloads decide by
/// them.
///
/// The order is part of the rules. A signature is the word of this server. What is for everyone needs no credential.
/// Then come the token of another system, the account with its rental, and last the operator's program, which lets in
/// whom nothing else does. What was hidden is opened by accounts only.
package enum ViewingRules {
    /// The verdict, or the fact on which it depends.
    package static func step(_ facts: ViewingFacts) -> ViewingStep {
        if facts.credentials.contains(.signature), !facts.isHidden {
            guard let answer = facts.signature else { return .ask(.signature) }
            return .decided(verdict(of: answer, facts))
        }
        guard let restriction = facts.restriction else { return .ask(.restriction) }
        if restriction == nil, facts.stranger == .allowed { return .decided(.open) }
        if !facts.isHidden, facts.credentials.contains(.token) || facts.credentials.contains(.tokenInAddress) {
            guard let answer = facts.token else { return .ask(.token) }
            return .decided(verdict(of: answer, facts))
        }
        guard let viewer = facts.viewer else { return .ask(.viewer) }
        let verdict: ViewingVerdict
        switch answer(viewer, restriction, facts.rental) {
        case .ask(let question): return .ask(question)
        case .decided(let decided): verdict = decided
        }
        guard !facts.isHidden, facts.credentials.contains(.hook), verdict == .loginNeeded || verdict == .concealed
        else { return .decided(verdict) }
        guard let answer = facts.hook else { return .ask(.hook) }
        switch answer {
        case .allows(nil): return .decided(.allowed(until: nil))
        case .allows(let end?): return .decided(.allowedOnce(until: end))
        case .refuses: return .decided(verdict)
        case .unavailable: return .decided(.unavailable)
        }
    }

    /// The step for somebody with an account, or without one.
    private static func answer(
        _ viewer: ViewingFacts.Viewer, _ restriction: TitleRestriction?, _ rental: Result<RentalPermit, RentalDenial>?
    ) -> ViewingStep {
        guard viewer.reading == .allowed, let restriction, !viewer.isManager else {
            return .decided(ViewingVerdict(viewer.reading))
        }
        guard viewer.isMember else { return .decided(.loginNeeded) }
        switch (restriction, rental) {
        case (.membersOnly, _): return .decided(.allowed(until: nil))
        case (.rental(let title), nil): return .ask(.rental(title: title))
        case (.rental, .success(let permit)): return .decided(.rented(permit))
        case (.rental, .failure(let denial)): return .decided(.denied(denial))
        }
    }

    /// The verdict about somebody with a signature.
    package static func verdict(of answer: ViewingFacts.SignatureAnswer, _ facts: ViewingFacts) -> ViewingVerdict {
        switch answer {
        case .denied(let denial): .denied(denial)
        case .decided(.valid(let seconds)): .signed(seconds: seconds)
        // A made-up one must not tell whether there is something at the address.
        case .decided(.wrong) where facts.isConcealed: strangersVerdict(facts)
        case .decided(.expired) where facts.mayNeedRental: .denied(.over)
        case .decided(.wrong):
            .linkNotValid(
                reason: "the signature in the address is not this server's, or belongs to another channel or title"
            )
        case .decided(.expired): .linkNotValid(reason: "the link has expired")
        case .decided(.revoked): .linkNotValid(reason: "the link was revoked")
        case .decided(.unavailable): .unavailable
        }
    }

    /// The verdict about somebody with a token of another system.
    private static func verdict(of answer: ViewingFacts.TokenAnswer, _ facts: ViewingFacts) -> ViewingVerdict {
        switch answer {
        case .allows(let end):
            facts.credentials.contains(.tokenInAddress) ? .allowedOnce(until: end) : .allowed(until: end)
        case .allowsOther, .notValid: facts.isConcealed ? strangersVerdict(facts) : refusal(of: answer)
        }
    }

    private static func refusal(of answer: ViewingFacts.TokenAnswer) -> ViewingVerdict {
        if case .notValid(let reason) = answer { .linkNotValid(reason: reason) } else { .forbidden }
    }

    /// The verdict about somebody without a credential, or with a wrong one.
    private static func strangersVerdict(_ facts: ViewingFacts) -> ViewingVerdict {
        facts.stranger == .allowed && facts.mayBeRestricted ? .loginNeeded : ViewingVerdict(facts.stranger)
    }

    // MARK: Rentals

    /// The right that a member's last rental of a title gives: the rental if it lasts.
    package static func right(of standing: RentalStanding) -> Result<Rental, RentalDenial> {
        switch standing {
        case .neverRented: .failure(.needed)
        case .waiting: .failure(.notActivated)
        case .over: .failure(.over)
        // A rental without an end has not begun.
        case .active(let rental): rental.endsAt == nil ? .failure(.notActivated) : .success(rental)
        }
    }

    /// Why nobody may watch with a signature that is valid, as far as the number of players does not matter: it is that
    /// of a rental that ended before its time, or with which playback would have had to begin before, or it was for a
    /// title without a price that has one now. `nil` if somebody may.
    ///
    /// It is asked for every request with a signature, and looks up what the signature's marks make matter only.
    ///
    /// - Parameters:
    ///   - signature: the signature.
    ///   - mayNeedRental: whether it may be a title that has to be rented.
    ///   - beginsPlayback: whether playback begins with the request.
    ///   - endsFilms: whether a film that has begun ends with its rental.
    ///   - isEndedEarly: whether the rental ended before its time.
    ///   - now: the time.
    package static func denial(
        of signature: MediaSignature, mayNeedRental: @autoclosure () -> Bool, beginsPlayback: Bool,
        endsFilms: @autoclosure () -> Bool, isEndedEarly: @autoclosure () -> Bool,
        at now: @autoclosure () -> WallClockTime
    ) -> RentalDenial? {
        if signature.isWhileFree, mayNeedRental() { return .needed }
        if let end = signature.startsBefore, now().secondsSince1970 >= end, beginsPlayback || endsFilms() {
            return .over
        }
        return isEndedEarly() ? .over : nil
    }
}
