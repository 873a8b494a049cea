import APIContract
import Accounts

extension AccountsEndpoints {
    /// The accounts' data about a member.
    package func export(of member: ExportedMember) async throws -> [ExportChapter] {
        let sessions = try await accounts.sessions(of: member.caller)
        let tokens = try await accounts.tokens(by: member.caller)
        let photo = try await accounts.photo(by: member.caller)
        let own = member.caller.principal.session
        return [
            ExportChapter(
                [.both(name: "account", APIResources.account(member.account).json)], text: "account"),
            ExportChapter(
                [
                    .both(name: "sessions", sessions.map { APIResources.session($0, isOwn: $0.id == own) }.json),
                    .both(name: "tokens", tokens.map { APIResources.token($0) }.json),
                ], text: "credentials"),
            ExportChapter(
                [.bytes(name: "photo", fileName: "photo.jpg", photo?.jpeg)], text: "photo"),
        ]
    }
}
