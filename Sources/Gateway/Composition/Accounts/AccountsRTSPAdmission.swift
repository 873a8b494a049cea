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

    var titlesAreForEveryone: Bool {
        guard !accounts.isEverythingPublic else { return true }
        let audiences = accounts.audiences
        return [audiences.title, audiences.track].allSatisfy { accounts.may(.anonymous, .read, $0).isAllowed }
    }

    func publisher(
        _ credential: RTSPAccountCredential, channel: String, from peer: SocketAddress?
    ) async -> String? {
        let origin = RequestOrigin(AddressGroup(peer), address: peer?.ipAddress, device: "RTSP")
        let principal: Principal?
        do {
            switch credential {
            case .token(let text): principal = try await accounts.principal(bearer: text, from: origin)
            case .password(let username, let secret):
                if let found = try await accounts.principal(username, appPassword: secret, from: origin) {
                    principal = found
                } else {
                    principal = try await accounts.principal(bearer: secret, from: origin)
                }
            }
        } catch {
            return nil
        }
        guard let principal, let member = principal.member,
            accounts.may(principal, .publish, accounts.audiences.channel(channel)).isAllowed
        else { return nil }
        return member.username
    }
}
