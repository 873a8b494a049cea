import APIContract
import Accounts
import Webhooks

extension WebhookEndpoints {
    /// The webhooks of a member.
    package func export(of member: ExportedMember) async throws -> [ExportChapter] {
        let own = try await webhooks.ownReceivers(of: member.caller)
        let items = own.map { APIResources.webhook($0, owner: member.account.username) }
        return [
            ExportChapter([.both(name: "webhooks", items.json)], text: "webhooks")
        ]
    }
}
