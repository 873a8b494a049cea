import Accounts
import HLSDelivery
import MediaAccess
import MediaCore
import NIOCore
import RTSPServer
import VideoClub
import Viewing

/// Lets the accounts and the video club decide who may push and who may play by RTSP.
struct AccountsRTSPAdmission: RTSPAdmission {
    let accounts: Accounts
    /// Links with which somebody without an account pushes; `nil` in tests without any.
    var links: MediaLinks?
    /// Tokens that another system makes for publishers; `nil` if none does.
    var tokens: MediaTokens?
    /// A program of the operator that is asked about whom nothing else lets in; `nil` if there is none.
    var hook: AuthorizationHook?
    /// Knows which titles have to be rented, and who has; `nil` if nothing is rented.
    var club: VideoClub?

    func isForEveryone(channel: String) -> Bool {
        accounts.isEverythingPublic || accounts.may(.anonymous, .read, accounts.audiences.channel(channel)).isAllowed
    }

    func isForEveryone(titleAt path: String) -> Bool {
        if let club, let subject = Self.subject(ofTitleAt: path), club.mayBeRestricted(subject) { return false }
        guard !accounts.isEverythingPublic else { return true }
        return accounts.may(.anonymous, .read, accounts.audiences.resource(ofTitleAt: path)).isAllowed
    }

    private static func subject(ofTitleAt path: String) -> ViewingSubject? {
        MediaAddress(target: "\(path)/playlist.m3u8")?.subject
    }

    func isEndedEarly(_ rental: RTSPRental, from peer: SocketAddress?) -> Bool {
        guard let club else { return false }
        // A session that plays goes on, and keeps its place.
        _ = club.players.admits(
            RentalPlayer(session: rental.session, from: Self.origin(peer)), to: rental.id,
            limit: club.settings.playersPerRental, isPlaying: true)
        return club.entitlements.isEndedEarly(rental: rental.id)
    }

    private static func origin(_ peer: SocketAddress?) -> RequestOrigin {
        RequestOrigin(AddressGroup(peer), address: peer?.ipAddress, device: "RTSP")
    }

    func decide(
        _ credential: RTSPAccountCredential, channel: String, from peer: SocketAddress?
    ) async -> RTSPAdmissionDecision {
        let origin = Self.origin(peer)
        do {
            if let links, MediaLinks.isPublishSecret(credential.secret) {
                let link = try await links.publisher(with: credential.secret, to: channel, from: origin)
                return link.map { .admitted(username: "link \($0.id)") } ?? .refused
            }
            guard let principal = try await principal(credential, origin) else {
                return await decideWithoutAccount(
                    credential, .publish, MediaTokens.publishing, "live/\(channel).stream", origin)
            }
            guard let member = principal.member,
                accounts.may(principal, .publish, accounts.audiences.channel(channel)).isAllowed
            else { return .refused }
            return .admitted(username: member.username)
        } catch {
            return .unavailable
        }
    }

    func decide(
        _ credential: RTSPAccountCredential?, playing subject: RTSPPlayedSubject, from peer: SocketAddress?
    ) async -> RTSPAdmissionDecision {
        let origin = Self.origin(peer)
        let (resource, path) = resource(subject)
        do {
            let restriction = try await self.restriction(subject)
            if restriction == nil, accounts.may(.anonymous, .read, resource).isAllowed { return .open }
            guard let credential else { return .refused }
            guard let principal = try await principal(credential, origin) else {
                if isHidden(subject) { return .refused }
                return await decideWithoutAccount(credential, .read, MediaTokens.watching, path, origin)
            }
            // A token that may not read this plays as a stranger, and not with the rentals of its owner.
            let acting = accounts.permissions.acting(principal, .read, resource)
            let viewer = accounts.permissions.viewer(acting, of: resource)
            guard let member = acting.member, viewer.reading.isAllowed else { return .refused }
            guard let club else { return .admitted(username: member.username) }
            let (verdict, permit) = try await club.decide(
                Caller(acting, origin), viewer, restriction, beginsPlayback: true, isPlaying: true)
            if let permit {
                return .admitted(
                    username: member.username, for: permit.end - club.now,
                    rental: RTSPRental(id: permit.rental.id.text, session: permit.session))
            }
            return RTSPAdmissionDecision(verdict, username: member.username)
        } catch {
            return .unavailable
        }
    }

    private func restriction(_ subject: RTSPPlayedSubject) async throws -> TitleRestriction? {
        guard let club, case .title(let path) = subject, let title = Self.subject(ofTitleAt: path) else { return nil }
        return try await club.restriction(title)
    }

    func isHidden(_ subject: RTSPPlayedSubject) -> Bool {
        guard case .title(let path) = subject, let title = Self.subject(ofTitleAt: path) else { return false }
        return accounts.isHidden(title)
    }

    /// What is played, and its path without the slash in front.
    private func resource(_ subject: RTSPPlayedSubject) -> (resource: Resource, path: String) {
        let audiences = accounts.audiences
        switch subject {
        case .channel(let name): return (audiences.channel(name), "live/\(name).stream")
        case .title(let path):
            // One spelling of each path, as for HLS.
            let folder = MediaAddress(target: "\(path)/playlist.m3u8")?.folder ?? path
            return (audiences.resource(ofTitleAt: path), String(folder.dropFirst()))
        }
    }

    /// Decides about a credential that is not one of an account.
    private func decideWithoutAccount(
        _ credential: RTSPAccountCredential, _ action: HookQuestion.Action, _ tokenActions: Set<String>,
        _ path: String, _ origin: RequestOrigin
    ) async -> RTSPAdmissionDecision {
        var question = HookQuestion(action, .rtsp, path: path, address: origin.address)
        switch credential {
        case .token(let text): question.token = text
        case .password(let user, let secret): (question.user, question.password) = (user, secret)
        }
        let secret = credential.secret
        if let tokens, MediaTokens.isToken(secret) {
            let end = try? await tokens.end(secret, tokenActions, for: "/\(path)")
            return end.flatMap(\.self) == nil ? .refused : .admitted(username: "token of another system")
        }
        switch await hook?.answer(question) {
        case .allowed: return .admitted(username: question.user)
        case .unavailable: return .unavailable
        case .refused, nil: return Self.couldBeAnAccounts(credential) ? .refused : .notAnAccounts
        }
    }

    /// A session is for browsers, and its secret in a URL would end up where others read it.
    private func principal(_ credential: RTSPAccountCredential, _ origin: RequestOrigin) async throws -> Principal? {
        switch credential {
        case .token(let text): return try await accounts.principal(apiToken: text, from: origin)
        case .password(let username, let secret):
            if let found = try await accounts.principal(username, appPassword: secret, from: origin) { return found }
            guard let found = try await accounts.principal(apiToken: secret, from: origin) else { return nil }
            return found.member?.username.lowercased() == username.lowercased() ? found : nil
        }
    }

    /// Whether a secret has the form of one of an account's.
    private static func couldBeAnAccounts(_ credential: RTSPAccountCredential) -> Bool {
        switch credential {
        case .token: true
        case .password(_, let secret):
            Secret(.appPassword, parsing: secret) != nil || Secret(.apiToken, parsing: secret) != nil
        }
    }
}

extension RTSPAdmissionDecision {
    fileprivate init(_ verdict: ViewingVerdict, username: String) {
        switch verdict {
        case .allowed, .rented: self = .admitted(username: username)
        case .loginNeeded, .forbidden, .concealed: self = .refused
        case .denied(.needed), .denied(.notActivated): self = .rentalNeeded
        case .denied(.over): self = .rentalOver
        case .denied(.tooManyPlayers(let limit)): self = .tooManyPlayers(limit: limit)
        }
    }
}
