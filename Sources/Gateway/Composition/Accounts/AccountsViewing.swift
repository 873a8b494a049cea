import Accounts
import Database
import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import MediaAccess
import MediaCore
import VideoClub
import Viewing
import WebTokens

/// Lets the accounts, the links and the video club decide who may watch.
///
/// Links, tokens and the program of the operator need no rental: they are the operator's word.
struct AccountsViewing: ViewingAuthority {
    let accounts: Accounts
    let links: MediaLinks
    /// Knows which titles have to be rented, and who has; `nil` if nothing is rented.
    var club: VideoClub?
    /// Tokens that another system makes for viewers; `nil` if none does.
    let tokens: MediaTokens?
    /// A program of the operator that is asked about whom nothing else lets in; `nil` if there is none.
    let hook: AuthorizationHook?
    let authority: RequestAuthority

    func isForEveryone(_ subject: ViewingSubject) -> Bool {
        if mayBeRestricted(subject) { return false }
        if accounts.isEverythingPublic { return true }
        return accounts.may(.anonymous, .read, resource(subject)).isAllowed
    }

    func isConcealed(_ subject: ViewingSubject) -> Bool { resource(subject).audience == .invited }

    func decideNow(_ request: ViewingRequest) -> ViewingDecision? {
        let address = request.address
        // The other call finds out who may read it all the same.
        guard let signature = address.signature, !accounts.isHidden(address.subject) else { return nil }
        return links.decideNow(signature, for: address.folder).map { answer($0, to: signature, request) }
    }

    /// The decision about a request with a signature.
    private func answer(
        _ decision: SignatureDecision, to signature: String, _ request: ViewingRequest
    ) -> ViewingDecision {
        guard case .valid = decision else { return refusal(decision, request.address.subject) }
        return refusal(ofValid: signature, request).map { .rentalMissing($0) } ?? ViewingDecision(decision)
    }

    /// The decision about a signature with which nobody may watch. A made-up one must not tell whether there is
    /// something at the address.
    private func refusal(_ decision: SignatureDecision, _ subject: ViewingSubject) -> ViewingDecision {
        if decision == .wrong, isConcealed(subject) { return strangersDecision(subject) }
        return decision == .expired && needsRental(subject) ? .rentalMissing(.over) : ViewingDecision(decision)
    }

    /// The decision about somebody without a credential, or with a wrong one.
    private func strangersDecision(_ subject: ViewingSubject) -> ViewingDecision {
        let decision = ViewingDecision(accounts.may(.anonymous, .read, resource(subject)))
        return decision == .allowed && mayBeRestricted(subject) ? .loginNeeded : decision
    }

    func decide(_ request: ViewingRequest) async -> ViewingDecision {
        let address = request.address
        // What was hidden plays for those who may read it all the same, by their accounts, and for nobody else.
        let isHidden = accounts.isHidden(address.subject)
        if let signature = address.signature, !isHidden {
            return answer(await links.decide(signature, for: address.folder), to: signature, request)
        }
        let restriction: TitleRestriction?
        do {
            restriction = try await self.restriction(address.subject)
        } catch {
            return .unavailable
        }
        if restriction == nil, accounts.may(.anonymous, .read, resource(address.subject)).isAllowed { return .open }
        if !isHidden, let tokens, let token = Self.token(of: request) { return await decide(token, tokens, address) }
        let decision = await accountsDecide(request, restriction)
        guard !isHidden, let hook, decision == .loginNeeded || decision == .concealed else { return decision }
        return await decide(request, hook, otherwise: decision)
    }

    /// Decides by the account of the sender.
    ///
    /// - Parameter restriction: what the club asks for; `nil` for nothing.
    private func accountsDecide(
        _ request: ViewingRequest, _ restriction: TitleRestriction?
    ) async -> ViewingDecision {
        do {
            var identity = try await authority.identify(request.fields, from: request.peer)
            let resource = resource(request.address.subject)
            // A token that may not read this watches as a stranger, and not with the rentals of its owner.
            identity.caller.principal = identity.permissions.acting(identity.caller.principal, .read, resource)
            let viewer = identity.permissions.viewer(identity.caller.principal, of: resource)
            guard let club else { return ViewingDecision(viewer.reading) }
            let (verdict, permit) = try await club.decide(
                identity.caller, viewer, restriction, beginsPlayback: request.address.isPlaylist,
                isPlaying: request.address.isPlayed)
            guard let permit else { return ViewingDecision(verdict) }
            return .allowedWithSignature(permit.signature(for: request.address.folder, by: links).text)
        } catch is ProblemDetails {
            return strangersDecision(request.address.subject)
        } catch {
            return .unavailable
        }
    }

    /// The token of a request: as a bearer token, or as the parameter `jwt`, which becomes a signature in the path.
    private static func token(of request: ViewingRequest) -> (text: String, isInQuery: Bool)? {
        for parameter in request.query.split(separator: "&") where parameter.hasPrefix("jwt=") {
            return (String(parameter.dropFirst("jwt=".count)), true)
        }
        guard let value = request.fields[.authorization], value.lowercased().hasPrefix("bearer ") else { return nil }
        let text = value.dropFirst("bearer ".count)
        return MediaTokens.isToken(text) ? (String(text), false) : nil
    }

    private func decide(
        _ token: (text: String, isInQuery: Bool), _ tokens: MediaTokens, _ address: MediaAddress
    ) async -> ViewingDecision {
        do {
            guard let end = try await tokens.end(token.text, MediaTokens.watching, for: address.folder) else {
                return isConcealed(address.subject) ? strangersDecision(address.subject) : .forbidden
            }
            return token.isInQuery
                ? .allowedWithSignature(links.sign(address.folder, until: end).text) : .allowed
        } catch is TokenError where isConcealed(address.subject) {
            return strangersDecision(address.subject)
        } catch let error as TokenError {
            return .linkNotValid(reason: error.reason)
        } catch {
            return .unavailable
        }
    }

    /// The time for which a path is signed whose parameters the hook has accepted, because players do not repeat them.
    private static let hookedTime = Duration.seconds(12 * 3_600)

    private func decide(
        _ request: ViewingRequest, _ hook: AuthorizationHook, otherwise refusal: ViewingDecision
    ) async -> ViewingDecision {
        let folder = request.address.folder
        let origin = authority.origin(request.fields, from: request.peer)
        var question = HookQuestion(.read, .hls, path: String(folder.dropFirst()), address: origin.address)
        question.userAgent = origin.device
        let value = request.fields[.authorization] ?? ""
        if value.lowercased().hasPrefix("bearer ") {
            question.token = String(value.dropFirst("bearer ".count))
        } else if let (user, password) = BasicCredential.parse(value) {
            (question.user, question.password) = (user, password)
        } else {
            // Parameters that a player adds change with each request, and say nothing of the viewer.
            let parameters = request.query.split(separator: "&").filter { !$0.hasPrefix("_HLS_") }
            question.query = parameters.joined(separator: "&")
        }
        switch await hook.answer(question) {
        case .allowed:
            guard !question.query.isEmpty else { return .allowed }
            return .allowedWithSignature(links.sign(folder, until: links.now + Self.hookedTime).text)
        case .refused: return refusal
        case .unavailable: return .unavailable
        }
    }

    private func resource(_ subject: ViewingSubject) -> Resource {
        accounts.audiences.resource(subject)
    }

    // MARK: Rentals

    private func mayBeRestricted(_ subject: ViewingSubject) -> Bool { club?.mayBeRestricted(subject) ?? false }

    /// Whether something may be a title that has to be rented.
    private func needsRental(_ subject: ViewingSubject) -> Bool {
        guard case .title(let id) = subject else { return mayBeRestricted(subject) }
        return club?.entitlements.needsRental(titleID: id) ?? false
    }

    /// Why somebody may not watch with a signature that is valid: it is that of a rental that ended before its time, or
    /// with which playback would have had to begin before, or that is watched on as many devices as may, or it was for
    /// a title without a price that has one now. `nil` if somebody may.
    private func refusal(ofValid text: String, _ request: ViewingRequest) -> RentalRefusal? {
        let address = request.address
        guard let club, let signature = MediaSignature(parsing: text) else { return nil }
        if signature.isWhileFree, needsRental(address.subject) { return .needed }
        if let end = signature.startsBefore, links.now.secondsSince1970 >= end,
            address.beginsPlayback || club.settings.atEnd == .stop
        {
            return .over
        }
        if club.entitlements.hasEndedEarly, club.entitlements.isEndedEarly(rental: String(signature.subject)) {
            return .over
        }
        guard let session = signature.session else { return nil }
        return club.denial(
            session: session, rental: String(signature.subject),
            from: authority.origin(request.fields, from: request.peer), isPlaying: address.isPlayed
        ).map(RentalRefusal.init)
    }

    private func restriction(_ subject: ViewingSubject) async throws -> TitleRestriction? {
        guard let club else { return nil }
        return try await club.restriction(subject)
    }
}

extension VideoClub {
    /// Whether something may be a title that not everybody may watch. Never waits.
    func mayBeRestricted(_ subject: ViewingSubject) -> Bool {
        switch subject {
        case .title(let id): restriction(ofTitle: id) != nil
        case .titleFile(let name): entitlements.mayNeedRental(titleFile: name)
        case .channel, .track: false
        }
    }

    /// What the club asks of somebody who wants to watch something; `nil` for nothing.
    func restriction(_ subject: ViewingSubject) async throws -> TitleRestriction? {
        switch subject {
        case .title(let id): restriction(ofTitle: id)
        case .titleFile(let name) where entitlements.mayNeedRental(titleFile: name):
            try await restriction(ofFile: name)
        case .titleFile, .channel, .track: nil
        }
    }
}

extension Accounts {
    /// Whether something was hidden, so that no link plays it. Every request with a signature asks; while everything is
    /// public, nothing is looked up.
    func isHidden(_ subject: ViewingSubject) -> Bool { !isEverythingPublic && audiences.isHidden(subject) }
}

extension AudienceRules {
    /// Whether something was hidden, so that no link plays it.
    fileprivate func isHidden(_ subject: ViewingSubject) -> Bool {
        switch subject {
        case .channel: false
        case .title(let id): isHidden(titleID: id)
        case .titleFile(let name): isHidden(titleFile: name.text)
        case .track(let id): isHidden(trackID: id)
        }
    }

    func resource(_ subject: ViewingSubject) -> Resource {
        switch subject {
        case .channel(let name): channel(name)
        case .title(let id): title(id: id)
        case .titleFile(let name): title(file: name.text)
        case .track(let id): track(id: id)
        }
    }

    /// A title or track for RTSP readers, which has the same path as for HLS without the playlist's name.
    func resource(ofTitleAt path: String) -> Resource {
        guard let address = MediaAddress(target: "\(path)/playlist.m3u8") else {
            return path.hasPrefix("/radio/") ? track : title
        }
        return resource(address.subject)
    }
}

extension Permissions {
    /// What they say of somebody who wants to watch something.
    func viewer(_ principal: Principal, of resource: Resource) -> ViewingRules.Viewer {
        ViewingRules.Viewer(
            reading: may(principal, .read, resource), isManager: may(principal, .manage, resource).isAllowed,
            isMember: principal.member != nil)
    }
}

extension RentalRefusal {
    fileprivate init(_ denial: RentalDenial) {
        switch denial {
        case .needed: self = .needed
        case .notActivated: self = .notActivated
        case .over: self = .over
        case .tooManyPlayers(let limit): self = .tooManyPlayers(limit: limit)
        }
    }
}

extension ViewingDecision {
    fileprivate init(_ decision: Decision) { self.init(ViewingVerdict(decision)) }

    fileprivate init(_ verdict: ViewingVerdict) {
        switch verdict {
        case .allowed, .rented: self = .allowed
        case .loginNeeded: self = .loginNeeded
        case .forbidden: self = .forbidden
        case .concealed: self = .concealed
        case .denied(let denial): self = .rentalMissing(RentalRefusal(denial))
        }
    }

    fileprivate init(_ decision: SignatureDecision) {
        switch decision {
        case .valid(let seconds): self = .allowedByPath(seconds: seconds)
        case .wrong:
            self = .linkNotValid(
                reason: "the signature in the address is not one of this server, or belongs to another channel or title"
            )
        case .expired: self = .linkNotValid(reason: "the link has expired")
        case .revoked: self = .linkNotValid(reason: "the link was revoked")
        case .unavailable: self = .unavailable
        }
    }
}
