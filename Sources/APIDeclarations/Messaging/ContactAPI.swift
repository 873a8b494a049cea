package import APIContract
import MediaCore

/// The operations of the API for contacts. They are for sessions only; tokens get 403.
package enum ContactAPI {
    package static let listContacts = APIOperation(
        .get, "/api/v1/me/contacts", "listContacts", "The sender's contacts, by name",
        "`q` is the beginning of their names. Who blocks the sender, or is blocked, is not among them.",
        parameters: [
            .cursor, .limit, .q,
            .query(
                Field<String>(
                    "from", "beginning of the first name, such as a letter to which the list jumps", .optional,
                    .maximumLength(100))),
        ], answer: .page(of: ContactFields.self, "Contacts")
    )
    .refusing(.invalidCursor)

    package static let getContact = APIOperation(
        .get, "/api/v1/me/contacts/{name}", "getContact", "A contact of the sender", parameters: [.member],
        answer: .object(ContactFields.self, "The contact"))

    package static let removeContact = APIOperation(
        .delete, "/api/v1/me/contacts/{name}", "removeContact", "Remove a contact",
        "Both lose each other; their conversation stays.", parameters: [.member], answer: .nothing("Removed"))

    package static let findContacts = APIOperation(
        .get, "/api/v1/me/contact-search", "findContacts", "Members who can be invited",
        "`q` is the beginning of a username, or the whole e-mail address or telephone number of a member who allows it (422 for neither). For an address that nobody has, the answer is the same as for one whose owner does not allow it. 20 searches by address an hour, then 429.",
        parameters: [.cursor, .limit, .q], answer: .page(of: FoundMemberFields.self, "Members")
    )
    .refusing(.invalidCursor, .tooManyAttempts).failing(with: APIProblem(422, .notValid))

    package static let listContactInvitations = APIOperation(
        .get, "/api/v1/me/contact-invitations", "listContactInvitations",
        "Invitations that wait for the sender's answer, the last ones first", parameters: [.cursor, .limit],
        answer: .page(of: ContactInvitationFields.self, "Invitations")
    )
    .refusing(.invalidCursor)

    package static let inviteContact = APIOperation(
        .post, "/api/v1/me/contact-invitations", "inviteContact", "Invite a member to become contacts",
        "If they have invited the sender, that invitation is accepted. 20 a day, then 429. 409 for a contact, somebody who was invited already, and for 30 days somebody who has refused; 403 if they block the sender.",
        body: APIBody(.json(NewContactInvitationFields.self)),
        answer: .object(ContactInvitationFields.self, "The invitation", status: 201)
    )
    .refusing(.notFound, .missingFields, .conflict, .tooMany, .tooManyAttempts)

    package static let getContactInvitation = APIOperation(
        .get, "/api/v1/me/contact-invitations/{id}", "getContactInvitation",
        "An invitation that the sender has sent or received", parameters: [.id],
        answer: .object(ContactInvitationFields.self, "The invitation"))

    package static let withdrawContactInvitation = APIOperation(
        .delete, "/api/v1/me/contact-invitations/{id}", "withdrawContactInvitation",
        "Take back an invitation that was not answered", parameters: [.id], answer: .nothing("Taken back"))

    package static let answerContactInvitation = APIOperation(
        .post, "/api/v1/me/contact-invitations/{id}/answer", "answerContactInvitation",
        "Accept or refuse an invitation", "Both members are told. 409 if it was answered already.",
        parameters: [.id], body: APIBody(.json(MessagingAnswerFields.self)),
        answer: .object(ContactInvitationFields.self, "The invitation")
    )
    .refusing(.missingFields, .conflict, .tooMany)

    package static let getMessagingPreferences = APIOperation(
        .get, "/api/v1/me/contact-settings", "getMessagingPreferences",
        "The sender's choices about contacts and messages",
        answer: .object(MessagingPreferencesFields.self, "Choices"))

    package static let changeMessagingPreferences = APIOperation(
        .patch, "/api/v1/me/contact-settings", "changeMessagingPreferences", "Change choices",
        "409 for `foundByPhone` without a telephone number.",
        body: APIBody(.json(MessagingPreferencesChangeFields.self)),
        answer: .object(MessagingPreferencesFields.self, "Choices")
    )
    .refusing(.conflict)
}
