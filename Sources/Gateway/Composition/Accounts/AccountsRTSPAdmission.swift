import Accounts
import MediaCore
import NIOCore
import RTSPServer

/// Lets the accounts decide who may push and who may play by RTSP.
struct AccountsRTSPAdmission: RTSPAdmission {
    let accounts: Accounts

    func isForEveryone(channel: String) -> Bool {
        accounts.isEverythingPublic || accounts.may(.anonymous, .read, accounts.audiences.channel(channel)).isAllowed
    }

    func isForEveryone(titleAt path: String) -> Bool {
        guard !accounts.isEverythingPublic else { return true }
        let audiences = accounts.audiences
        let resource = path.hasPrefix("/radio/") ? audiences.track : audiences.title
        return accounts.may(.anonymous, .read, resource).isAllowed
    }

    func decide(
        _ credential: RTSPAccountCredential, channel: String, from peer: SocketAddress?
    ) async -> RTSPAdmissionDecision {
        let origin = RequestOrigin(AddressGroup(peer), address: peer?.ipAddress, device: "RTSP")
        do {
            guard let principal = try await principal(credential, origin) else {
                return Self.couldBeAnAccounts(credential) ? .refused : .notAnAccounts
            }
            guard let member = principal.member,
                accounts.may(principal, .publish, accounts.audiences.channel(channel)).isAllowed
            else { return .refused }
            return .admitted(username: member.username)
        } catch {
            return .unavailable
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
