package import Accounts
package import MediaAccess
package import MediaCore
package import VideoClub
import WebTokens

/// The gate for viewers, for every protocol: finds out what ``ViewingRules`` ask for, and answers with their verdict.
///
/// Links, tokens and the program of the operator need no rental: they are the operator's word.
package struct ViewingGate: Sendable {
    package let accounts: Accounts
    package let links: MediaLinks
    /// Knows which titles have to be rented, and who has; `nil` if nothing is rented.
    package let club: VideoClub?
    /// Tokens that another system makes for viewers; `nil` if none does.
    let tokens: MediaTokens?
    /// The operator's authorization hook, asked about viewers that nothing else admits; `nil` if there is none.
    let hook: AuthorizationHook?

    /// - Parameters:
    ///   - accounts: the accounts, with the audiences.
    ///   - links: checks signatures.
    ///   - club: knows which titles have to be rented; `nil` if nothing is.
    ///   - tokens: checks the tokens of another system; `nil` if none makes any.
    ///   - hook: asks the operator's program; `nil` if there is none.
    package init(
        accounts: Accounts, links: MediaLinks, club: VideoClub? = nil, tokens: MediaTokens? = nil,
        hook: AuthorizationHook? = nil
    ) {
        (self.accounts, self.links, self.club, self.tokens, self.hook) = (accounts, links, club, tokens, hook)
    }

    // MARK: Without waiting

    /// Whether something is for everyone, as far as that can be told without waiting.
    ///
    /// - Parameter subject: what it is; `nil` at a path at which there can be nothing.
    package func isForEveryone(_ subject: MediaSubject?) -> Bool {
        if mayBeRestricted(subject) { return false }
        return accounts.isEverythingPublic
            || accounts.may(.anonymous, .read, accounts.audiences.resource(subject)).isAllowed
    }

    /// Whether others than invited people must not learn that something exists.
    package func isConcealed(_ subject: MediaSubject?) -> Bool {
        accounts.audiences.resource(subject).audience == .invited
    }

    /// Whether something was hidden, so that no link plays it. Every request with a signature asks; while everything is
    /// public, nothing is looked up.
    package func isHidden(_ subject: MediaSubject?) -> Bool {
        !accounts.isEverythingPublic && accounts.audiences.isHidden(subject)
    }

    /// Decides about a request with a signature if that can be done without waiting.
    ///
    /// - Parameters:
    ///   - signature: the text of the signature.
    ///   - media: what somebody wants to watch.
    ///   - origin: where the request comes from. It is found out only if the signature's players are counted.
    /// - Returns: `nil` if ``decide(_:)`` has to be asked.
    package func decideNow(
        _ signature: String, for media: ViewedMedia, from origin: () -> RequestOrigin
    ) -> ViewingVerdict? {
        // The other call finds out who may read it all the same.
        guard !isHidden(media.subject) else { return nil }
        guard let decision = links.decideNow(signature, for: media.folder) else { return nil }
        let answer = answer(decision, to: signature, media, origin)
        // Almost all signatures are valid, and need no other fact.
        if case .decided(.valid(let seconds)) = answer { return .signed(seconds: seconds) }
        return ViewingRules.verdict(of: answer, facts(media))
    }

    /// Whether somebody who plays with a rental may not go on, because it has ended before its time. Who may keeps the
    /// place among the rental's players.
    ///
    /// - Parameters:
    ///   - rental: the ID of the rental.
    ///   - session: what the players of one credential have in common.
    ///   - origin: where the player is.
    package func isEndedEarly(rental: String, session: String, from origin: RequestOrigin) -> Bool {
        guard let club else { return false }
        // A session that plays goes on, and keeps its place.
        _ = club.players.admits(
            RentalPlayer(session: session, from: origin), to: rental, limit: club.settings.playersPerRental,
            isPlaying: true)
        return club.entitlements.isEndedEarly(rental: rental)
    }

    // MARK: Decisions

    /// Decides about somebody who wants to watch.
    package func decide(_ question: ViewingQuestion) async -> ViewingOutcome {
        var facts = facts(question.media)
        if question.signature != nil { facts.credentials.insert(.signature) }
        let token = tokens == nil ? nil : question.token()
        if let token {
            facts.credentials.insert(token.isInAddress ? .tokenInAddress : .token)
        }
        if hook != nil, question.hook != nil { facts.credentials.insert(.hook) }
        var identity: ViewingQuestion.Identity?
        while true {
            switch ViewingRules.step(facts) {
            case .decided(let verdict):
                count(verdict, facts)
                return ViewingOutcome(verdict: verdict, member: identity?.caller.principal.member)
            case .ask(let missing):
                do {
                    try await find(missing, question, token, &facts, &identity)
                } catch {
                    return ViewingOutcome(verdict: .unavailable, member: nil)
                }
            }
        }
    }

    private func facts(_ media: ViewedMedia) -> ViewingFacts {
        let resource = accounts.audiences.resource(media.subject)
        var facts = ViewingFacts(stranger: accounts.may(.anonymous, .read, resource))
        facts.isConcealed = resource.audience == .invited
        facts.isHidden = isHidden(media.subject)
        facts.mayBeRestricted = mayBeRestricted(media.subject)
        facts.mayNeedRental = mayNeedRental(media.subject)
        return facts
    }

    /// Finds a fact out.
    ///
    /// - Throws: `SQLError` if the database does not answer, and `Refusal` if the title is gone.
    private func find(
        _ missing: ViewingStep.Question, _ question: ViewingQuestion, _ token: ViewingQuestion.Token?,
        _ facts: inout ViewingFacts, _ identity: inout ViewingQuestion.Identity?
    ) async throws {
        let media = question.media
        switch missing {
        case .signature:
            let text = question.signature ?? ""
            let decision = await links.decide(text, for: media.folder)
            facts.signature = answer(decision, to: text, media, question.origin)
        case .restriction: facts.restriction = .some(try await restriction(media.subject))
        case .token: facts.token = try await answer(to: token, for: media.folder)
        case .viewer:
            guard var found = try await question.identify() else { return facts.viewer = .stranger(facts.stranger) }
            let resource = accounts.audiences.resource(media.subject)
            // A token that may not read this watches as a stranger, and not with the rentals of its owner.
            let principal = found.permissions.acting(found.caller.principal, .read, resource)
            found.caller.principal = principal
            identity = found
            facts.viewer = ViewingFacts.Viewer(
                reading: found.permissions.may(principal, .read, resource),
                isManager: found.permissions.may(principal, .manage, resource).isAllowed,
                isMember: principal.member != nil)
        case .rental(let title): facts.rental = try await right(of: identity?.caller, to: title, media)
        case .hook: facts.hook = await answer(to: question.hook?())
        }
    }

    // MARK: Signatures

    /// The answer about a signature. Its player is counted among those of the rental.
    private func answer(
        _ decision: SignatureDecision, to text: String, _ media: ViewedMedia, _ origin: () -> RequestOrigin
    ) -> ViewingFacts.SignatureAnswer {
        guard case .valid = decision, let club, let signature = MediaSignature(parsing: text) else {
            return .decided(decision)
        }
        let denial = ViewingRules.denial(
            of: signature, mayNeedRental: mayNeedRental(media.subject), beginsPlayback: media.beginsPlayback,
            endsFilms: club.settings.atEnd == .stop,
            isEndedEarly: club.entitlements.hasEndedEarly
                && club.entitlements.isEndedEarly(rental: String(signature.subject)),
            at: links.now)
        if let denial { return .denied(denial) }
        guard let session = signature.session else { return .decided(decision) }
        let crowd = self.denial(
            session: session, rental: String(signature.subject), from: origin(), isPlaying: media.isPlayed, club)
        return crowd.map { .denied($0) } ?? .decided(decision)
    }

    // MARK: Tokens and the operator's program

    /// - Throws: `CancellationError`
    private func answer(
        to token: ViewingQuestion.Token?, for folder: String
    ) async throws -> ViewingFacts.TokenAnswer? {
        guard let tokens, let token else { return .allowsOther }
        do {
            guard let end = try await tokens.end(token.text, MediaTokens.watching, for: folder) else {
                return .allowsOther
            }
            return .allows(until: end)
        } catch let error as TokenError {
            return .notValid(reason: error.reason)
        }
    }

    /// The time for which a path is signed whose parameters the hook has accepted, because players do not repeat them.
    private static let hookedTime = Duration.seconds(12 * 3_600)

    private func answer(to question: HookQuestion?) async -> ViewingFacts.HookAnswer {
        guard let hook, let question else { return .refuses }
        switch await hook.answer(question) {
        case .allowed: return .allows(until: question.query.isEmpty ? nil : links.now + Self.hookedTime)
        case .refused: return .refuses
        case .unavailable: return .unavailable
        }
    }

    // MARK: Rentals

    /// Whether something may be a title that not everybody may watch. Never waits.
    private func mayBeRestricted(_ subject: MediaSubject?) -> Bool {
        guard let club, let subject else { return false }
        switch subject {
        case .title(let id): return club.restriction(ofTitle: id.text) != nil
        case .titleFile(let name): return club.entitlements.mayNeedRental(titleFile: name)
        case .channel, .track: return false
        }
    }

    /// Whether something may be a title that has to be rented. Never waits.
    private func mayNeedRental(_ subject: MediaSubject?) -> Bool {
        guard case .title(let id) = subject else { return mayBeRestricted(subject) }
        return club?.entitlements.needsRental(titleID: id.text) ?? false
    }

    /// The club's requirement for a subject; `nil` for none.
    private func restriction(_ subject: MediaSubject?) async throws -> TitleRestriction? {
        guard let club, let subject else { return nil }
        switch subject {
        case .title(let id): return club.restriction(ofTitle: id.text)
        case .titleFile(let name) where club.entitlements.mayNeedRental(titleFile: name):
            return try await club.restriction(ofFile: name)
        case .titleFile, .channel, .track: return nil
        }
    }

    /// The right that a member's rental gives. The player is counted among those of the rental.
    private func right(
        of caller: Caller?, to title: String, _ media: ViewedMedia
    ) async throws -> Result<RentalPermit, RentalDenial> {
        guard let club, let caller else { return .failure(.needed) }
        let standing = try await club.standing(of: caller, title: title, beginsPlayback: media.activatesRental)
        return ViewingRules.right(of: standing).flatMap { rental in
            guard let permit = RentalPermit(rental, of: caller.principal, in: club) else {
                return .failure(.notActivated)
            }
            let crowd = denial(
                session: permit.session, rental: rental.id.text, from: caller.origin, isPlaying: media.isPlayed, club)
            return crowd.map { .failure($0) } ?? .success(permit)
        }
    }

    /// Why a player may not play with a rental that lasts: as many others do as may. `nil` if it may, and then it is
    /// one of them.
    private func denial(
        session: some StringProtocol, rental: String, from origin: RequestOrigin, isPlaying: Bool, _ club: VideoClub
    ) -> RentalDenial? {
        let limit = club.settings.playersPerRental
        let player = RentalPlayer(session: session, from: origin)
        guard !club.players.admits(player, to: rental, limit: limit, isPlaying: isPlaying) else { return nil }
        club.statistics.add(.tooManyPlayers)
        return .tooManyPlayers(limit: limit)
    }

    /// Counts what was denied to an account. Signatures are sent with each request, and are not counted.
    private func count(_ verdict: ViewingVerdict, _ facts: ViewingFacts) {
        guard let club, let viewer = facts.viewer else { return }
        switch verdict {
        case .loginNeeded where viewer.reading == .allowed && facts.restriction == .some(.membersOnly):
            club.statistics.add(.membersOnly)
        case .denied(.needed): club.statistics.add(.rentalNeeded)
        case .denied(.notActivated): club.statistics.add(.rentalNotActivated)
        case .denied(.over): club.statistics.add(.rentalOver)
        default: break
        }
    }
}
