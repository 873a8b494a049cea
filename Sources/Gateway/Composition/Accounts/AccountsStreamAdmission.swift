import Accounts
import MediaAccess
import MediaCore
import NIOCore
import RTSPServer
import StreamConnections
import VideoClub
import Viewing

/// Puts the questions of RTSP to the gates, and their verdicts into the words of RTSP.
struct AccountsStreamAdmission: StreamAdmission {
    let viewing: ViewingGate
    let publishing: PublishingGate

    func isForEveryone(_ subject: MediaSubject?) -> Bool { viewing.isForEveryone(subject) }

    func isHidden(_ subject: MediaSubject?) -> Bool { viewing.isHidden(subject) }

    func isEndedEarly(_ rental: StreamRental, from peer: SocketAddress?) -> Bool {
        viewing.isEndedEarly(rental: rental.id, session: rental.session, from: Self.origin(peer))
    }

    private static func origin(_ peer: SocketAddress?) -> RequestOrigin {
        RequestOrigin(AddressGroup(peer), address: peer?.ipAddress, device: "RTSP")
    }

    func passphrase(for credential: StreamCredential) -> String? {
        viewing.links.passphrase(ofPublishSecret: MediaCredential(credential).secret)
    }

    func decide(
        _ credential: StreamCredential, channel: String, from peer: SocketAddress?
    ) async -> StreamAdmissionDecision {
        switch await publishing.decide(MediaCredential(credential), channel: channel, from: Self.origin(peer)) {
        case .admitted(let name): .admitted(username: name)
        case .refused: .refused
        case .notAnAccounts: .notAnAccounts
        case .unavailable: .unavailable
        }
    }

    func decide(
        _ credential: StreamCredential?, playing subject: MediaSubject?, at path: String, from peer: SocketAddress?
    ) async -> StreamAdmissionDecision {
        let origin = Self.origin(peer)
        // A reader plays from the beginning, all of it, and shows its credential once for the whole connection.
        let media = ViewedMedia(
            subject, folder: subject?.folder ?? path, beginsPlayback: true, activatesRental: true, isPlayed: true)
        let credential = credential.map { MediaCredential($0) }
        var question = ViewingQuestion(media) {
            origin
        } identify: { [accounts = viewing.accounts] in
            guard let credential else { return .init(Caller(.anonymous, origin), accounts.permissions) }
            return try await credential.principal(in: accounts, from: origin)
                .map { .init(Caller($0, origin), accounts.permissions) }
        }
        var name = ""
        if let credential {
            let hook = credential.hookQuestion(.read, path: String(media.folder.dropFirst()), from: origin)
            (question.hook, name) = ({ hook }, hook.user)
            if MediaTokens.isToken(credential.secret) {
                question.token = { .init(credential.secret, isInAddress: false) }
                name = "token of another system"
            }
        }
        let outcome = await viewing.decide(question)
        return decision(about: outcome.verdict, username: outcome.member?.username ?? name)
    }

    private func decision(about verdict: ViewingVerdict, username: String) -> StreamAdmissionDecision {
        switch verdict {
        case .open: .open
        case .allowed(let end): .admitted(username: username, for: end.map { $0 - viewing.links.now })
        case .allowedOnce(let end): .admitted(username: username, for: end - viewing.links.now)
        case .signed(let seconds): .admitted(username: username, for: .seconds(seconds))
        case .rented(let permit):
            .admitted(
                username: username, for: permit.end - viewing.links.now,
                rental: StreamRental(id: permit.rental.id.text, session: permit.session))
        case .loginNeeded, .forbidden, .concealed, .linkNotValid: .refused
        case .denied(.needed), .denied(.notActivated): .rentalNeeded
        case .denied(.over): .rentalOver
        case .denied(.tooManyPlayers(let limit)): .tooManyPlayers(limit: limit)
        case .unavailable: .unavailable
        }
    }
}

extension MediaCredential {
    fileprivate init(_ credential: StreamCredential) {
        switch credential {
        case .password(let username, let secret): self = .password(username: username, secret: secret)
        case .token(let text): self = .token(text)
        case .session(let text): self = .session(text)
        }
    }
}
