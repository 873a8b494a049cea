import APIContract
import APIDeclarations
import Accounts
package import Community
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
package import Messaging
import Workflows

/// The contacts of a member, `/api/v1/me/contacts`, and the way to new ones. For sessions only.
package struct ContactEndpoints: Sendable {
    private let messaging: Messaging
    private let community: Community

    /// - Parameters:
    ///   - messaging: the contacts.
    ///   - community: finds members by their names.
    package init(messaging: Messaging, community: Community) {
        (self.messaging, self.community) = (messaging, community)
    }

    private static let own = AccessRule.member(.session, reason: "the caller's own contacts")

    package var endpoints: [Endpoint] { contacts + invitations }

    private var contacts: [Endpoint] {
        [
            Endpoint(ContactAPI.listContacts, Self.own) { request, caller in
                let page = try PageRequest(request)
                let found = try await messaging.contacts(
                    page.query ?? "", from: PageRequest.value(of: "from", in: request), of: caller.caller,
                    after: page.cursor, limit: page.limit)
                let now = messaging.now
                return APIPage(found.items.map { APIResources.contact($0, at: now) }, next: found.next).response()
            },
            Endpoint(ContactAPI.getContact, Self.own) { _, caller in
                let contact = try await messaging.contact(try caller.parameters.require("name"), of: caller.caller)
                return APIResources.contact(contact, at: messaging.now).response()
            },
            Endpoint(ContactAPI.removeContact, Self.own) { _, caller in
                try await messaging.removeContact(try caller.parameters.require("name"), by: caller.caller)
                return Response(status: .noContent)
            },
            Endpoint(ContactAPI.findContacts, Self.own, handler: find),
            Endpoint(ContactAPI.getMessagingPreferences, Self.own) { _, caller in
                APIResources.preferences(try await messaging.preferences(of: caller.caller)).response()
            },
            Endpoint(ContactAPI.changeMessagingPreferences, Self.own) { request, caller in
                let body = try await BodyFields(request, MessagingPreferencesChangeFields.self)
                let (presence, marks) = (try body.flag(\.sharesPresence), try body.flag(\.sendsMarks))
                let (email, phone) = (try body.flag(\.foundByEmail), try body.flag(\.foundByPhone))
                let changed = try await messaging.changePreferences(of: caller.caller) { preferences in
                    preferences.sharesPresence = presence ?? preferences.sharesPresence
                    preferences.sendsMarks = marks ?? preferences.sendsMarks
                    preferences.isFoundByEmail = email ?? preferences.isFoundByEmail
                    preferences.isFoundByPhone = phone ?? preferences.isFoundByPhone
                }
                return APIResources.preferences(changed).response()
            },
        ]
    }

    private func find(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let page = try PageRequest(request)
        let found = try await MemberSearch(messaging: messaging, community: community).members(
            page.query ?? "", for: caller.caller, after: page.cursor, limit: page.limit)
        let items = found.items.map { member in
            FoundMemberFields.object {
                [
                    $0.username(member.username),
                    $0.photo(ResourcePaths.photo(ofMember: member.username, member.photo)),
                ]
            }
        }
        return APIPage(items, next: found.next).response()
    }

    private var invitations: [Endpoint] {
        [
            Endpoint(ContactAPI.listContactInvitations, Self.own) { request, caller in
                let page = try PageRequest(request)
                let found = try await messaging.invitations(for: caller.caller, after: page.cursor, limit: page.limit)
                return APIPage(found.items.map(APIResources.invitation), next: found.next).response()
            },
            Endpoint(ContactAPI.inviteContact, Self.own) { request, caller in
                let body = try await BodyFields(
                    request, NewContactInvitationFields.self, maximumTextLength: 8_000, maximumByteCount: 64 * 1_024)
                let sent = try await messaging.invite(
                    try body.required(\.username), try body.text(\.text) ?? "", by: caller.caller)
                return APIResources.invitation(sent).response(status: .created)
            },
            Endpoint(ContactAPI.getContactInvitation, Self.own) { _, caller in
                let id = try caller.parameters.identifier(of: "invitation")
                return APIResources.invitation(try await messaging.invitation(id, for: caller.caller)).response()
            },
            Endpoint(ContactAPI.withdrawContactInvitation, Self.own) { _, caller in
                try await messaging.withdraw(try caller.parameters.identifier(of: "invitation"), by: caller.caller)
                return Response(status: .noContent)
            },
            Endpoint(ContactAPI.answerContactInvitation, Self.own) { request, caller in
                let body = try await BodyFields(request, MessagingAnswerFields.self)
                let id = try caller.parameters.identifier(of: "invitation")
                guard let accepts = try body.flag(\.accept) else { throw Refusal.missing(["accept"]) }
                let answered = try await messaging.answer(id, accepts: accepts, by: caller.caller)
                return APIResources.invitation(answered).response()
            },
        ]
    }
}
