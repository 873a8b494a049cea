import APIContract
import Accounts
package import Messaging

/// A member's contacts and messages, for the export of their data.
package enum MessagingExport {
    package static func chapters(
        of member: ExportedMember, from messaging: Messaging
    ) async throws -> [ExportChapter] {
        let data = try await messaging.ownData(of: member.account.id)
        return [
            ExportChapter(
                [
                    .both(name: "messagingPreferences", APIResources.preferences(data.preferences).json),
                    .both(
                        name: "contacts",
                        data.contacts.map { APIResources.contact($0, at: member.madeAt) }.json),
                    .both(name: "contactInvitations", data.invitations.map(APIResources.invitation).json),
                    .both(name: "conversations", data.conversations.map(APIResources.conversation).json),
                    .file(name: "messages", data.messages.map(APIResources.message).json),
                ], text: "messages")
        ]
    }
}
