package import APIContract
import MediaCore

/// The operations of the API for support.
package enum SupportAPI {
    package static let sendSupportMessage = APIOperation(
        .post, "/api/v1/support-messages", "sendSupportMessage", "Write to the operators",
        "Needs no account. 429 for more than 5 messages from an address in an hour, 503 while the inbox is full.",
        body: APIBody(.json(NewSupportMessageFields.self)),
        answer: .object(SentSupportMessageFields.self, "The message has arrived", status: 201)
    )
    .refusing(.missingFields, .tooManyAttempts)

    package static let listSupportMessages = APIOperation(
        .get, "/api/v1/support-messages", "listSupportMessages", "Messages of people who need help, newest first",
        parameters: [.cursor, .limit], answer: .page(of: SupportMessageFields.self, "Messages")
    )
    .refusing(.invalidCursor)

    package static let getSupportMessage = APIOperation(
        .get, "/api/v1/support-messages/{id}", "getSupportMessage", "A message of somebody who needs help",
        parameters: [.id], answer: .object(SupportMessageFields.self, "The message"))

    package static let deleteSupportMessage = APIOperation(
        .delete, "/api/v1/support-messages/{id}", "deleteSupportMessage", "Delete a message", parameters: [.id],
        answer: .nothing("Deleted"))
}
