package import APIContract
import MediaCore

/// The operations of the API for video club.
package enum VideoClubAPI {
    package static let getOffer = APIOperation(
        .get, "/api/v1/titles/{id}/offer", "getOffer",
        "What a title costs, its votes, and what the sender has to do with both", parameters: [.id],
        answer: .object(OfferFields.self, "The offer"))

    package static let getTrailer = APIOperation(
        .get, "/api/v1/titles/{id}/trailer", "getTrailer", "Where the trailer of a title plays",
        "404 (no-trailer) if the title has none, or none yet; 404 (trailer-damaged) if it cannot be played, with what failed; 401 if trailers are for members.",
        parameters: [.id], answer: .object(TrailerFields.self, "The trailer")
    )
    .refusing(.loginNeeded)
    .failing(with: APIProblem(404, .noTrailer), APIProblem(404, .trailerDamaged))

    package static let getTerms = APIOperation(
        .get, "/api/v1/titles/{id}/terms", "getTerms", "On which terms a title is rented", parameters: [.id],
        answer: .object(TermsFields.self, "The terms; ETag is their version", headers: [Field<String>("ETag")]))

    package static let changeTerms = APIOperation(
        .patch, "/api/v1/titles/{id}/terms", "changeTerms", "Change the terms on which a title is rented",
        "A JSON merge patch (RFC 7396). Rentals that were made before keep their terms. 428 without If-Match, 412 if somebody else has changed the terms meanwhile.",
        parameters: [.id, .ifMatch], body: APIBody(.json(TermsChangeFields.self)),
        answer: .object(
            TermsFields.self, "The terms after the change; ETag is their version", headers: [Field<String>("ETag")]))

    package static let rentTitle = APIOperation(
        .post, "/api/v1/titles/{id}/rentals", "rentTitle", "Rent a title",
        "The credits move and the rental is made, or neither. 402 (credits-needed) with price, balance, missing and, if the operator has named one, purchaseAddress if there are not enough credits; 409 (already-rented) with the rental if the sender holds the title. The same Idempotency-Key gets the same rental, however long ago.",
        parameters: [.id, .idempotencyKey],
        answer: .object(
            RentalBegunFields.self, "The rental, and the credits that are left", status: 201,
            headers: [Field<String>("Location")])
    )
    .refusing(.notEnoughCredits, .rentalNotNeeded, .alreadyRented, .keyOfAnotherRequest)
    .failing(with: APIProblem(400, .badRequest))

    package static let voteForTitle = APIOperation(
        .put, "/api/v1/titles/{id}/vote", "voteForTitle", "Vote for a title",
        "409 (already-voted) for a second vote, unless the operator lets votes change.", parameters: [.id],
        body: APIBody(.json(VoteFields.self)), answer: .object(VotesFields.self, "The votes with this one")
    )
    .refusing(.alreadyVoted, .missingFields)

    package static let listOwnRentals = APIOperation(
        .get, "/api/v1/me/rentals", "listOwnRentals", "The sender's rentals, newest first",
        parameters: [.cursor, .limit], answer: .page(of: RentalFields.self, "Rentals")
    )
    .refusing(.invalidCursor)

    package static let getOwnCredits = APIOperation(
        .get, "/api/v1/me/credits", "getOwnCredits", "The sender's credits and their movements, newest first",
        parameters: [.cursor, .limit], answer: .object(OwnCreditsFields.self, "Credits")
    )
    .refusing(.invalidCursor)

    package static let exportOwnCredits = APIOperation(
        .get, "/api/v1/me/credits.csv", "exportOwnCredits", "The history of the sender's credits as a table",
        "One row for each movement, newest first. Text that a spreadsheet would take for a formula has an apostrophe in front.",
        answer: .content("All movements", APIContent("text/csv", String.self)))

    package static let listUserRentals = APIOperation(
        .get, "/api/v1/users/{name}/rentals", "listUserRentals", "A member's rentals, newest first",
        parameters: [.user, .cursor, .limit], answer: .page(of: RentalFields.self, "Rentals")
    )
    .refusing(.invalidCursor)

    package static let exportUserCredits = APIOperation(
        .get, "/api/v1/users/{name}/credits.csv", "exportUserCredits", "The history of a member's credits as a table",
        "One row for each movement, newest first. Text that a spreadsheet would take for a formula has an apostrophe in front.",
        parameters: [.user], answer: .content("All movements", APIContent("text/csv", String.self)))

    package static let getUserCredits = APIOperation(
        .get, "/api/v1/users/{name}/credits", "getUserCredits", "A member's credits and their movements, newest first",
        parameters: [.user, .cursor, .limit], answer: .object(UserCreditsFields.self, "Credits")
    )
    .refusing(.invalidCursor)

    package static let grantCredits = APIOperation(
        .post, "/api/v1/users/{name}/credits", "grantCredits", "Give credits to a member",
        "The same Idempotency-Key gets the same movement, however long ago.", parameters: [.user, .idempotencyKey],
        body: APIBody(.json(CreditGrantFields.self)),
        answer: .object(CreditMovementFields.self, "The movement", status: 201)
    )
    .refusing(.missingFields, .keyOfAnotherRequest)

    package static let reverseCredits = APIOperation(
        .post, "/api/v1/credits/{id}/reversal", "reverseCredits",
        "Take back credits that were given by mistake, with a counter-entry",
        "402 (credits-needed) if the member has spent them.", parameters: [.id, .idempotencyKey],
        body: APIBody(.json(CreditNoteFields.self)),
        answer: .object(CreditMovementFields.self, "The counter-entry", status: 201)
    )
    .refusing(.notEnoughCredits, .notReversible, .keyOfAnotherRequest)

    package static let checkCredits = APIOperation(
        .get, "/api/v1/credits/check", "checkCredits", "Compare the ledger of credits with its own rules",
        answer: .object(LedgerCheckFields.self, "What disagrees; nothing in a ledger that is in order"))

    package static let receivePayment = APIOperation(
        .post, "/api/v1/payments", "receivePayment",
        "What a payment provider's program says, signed by Standard Webhooks",
        "A payment is named by its reference: it gives credits once, and is taken back once. 401 if the signature is wrong or older than five minutes, 404 if the server takes no payments, 409 for the refund of a payment that has not come yet.",
        parameters: [
            .header(
                Field<String>("webhook-id", "name of the message", .optional, .minimumLength(1), .maximumLength(256))),
            .header(
                Field<String>(
                    "webhook-timestamp", "time of the attempt, in seconds since 1970", .optional,
                    .pattern("^[0-9]{1,19}$"))),
            .header(
                Field<String>(
                    "webhook-signature", "signatures of the message, separated by spaces", .optional,
                    .pattern("^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$"))),
        ], body: APIBody(.json(PaymentEventFields.self)),
        answer: .object(CreditMovementFields.self, "The movement of the payment")
    )
    .refusing(.notEnoughCredits, .notFound, .notReversible, .keyOfAnotherRequest)
    .failing(with: APIProblem(401, .credentialNeeded), APIProblem(404, .notAvailable))

    package static let getRental = APIOperation(
        .get, "/api/v1/rentals/{id}", "getRental", "A rental", parameters: [.id],
        answer: .object(RentalFields.self, "The rental"))

    package static let activateRental = APIOperation(
        .post, "/api/v1/rentals/{id}/activation", "activateRental", "Begin the time for which a rental can be watched",
        "410 (rental-over) if the rental has ended.", parameters: [.id],
        answer: .object(RentalFields.self, "The rental; one whose time has begun stays as it is")
    )
    .refusing(.rentalEnded)

    package static let refundRental = APIOperation(
        .post, "/api/v1/rentals/{id}/refund", "refundRental", "Give back what was paid for a rental, and end it",
        "A rental whose time is over can be refunded, too.", parameters: [.id],
        body: APIBody(.json(CreditNoteFields.self)),
        answer: .object(RentalFields.self, "The rental; one that was refunded stays as it is"))

    package static let getRentalDownload = APIOperation(
        .get, "/api/v1/rentals/{id}/download", "getRentalDownload",
        "What can be downloaded for a rental, or the manifest of a copy",
        "Without rendition: the renditions with the exact sizes of their copies. With it: the manifest of the copy, whose addresses need no header, or 202 with Retry-After while its digests are computed. The credential may be that of a device. 402 (rental-needed) for a rental that the sender does not have, 410 (rental-over) after its end. A rental that was not activated may be downloaded, too; the key of the copy is released later.",
        parameters: [.id, .query(Field<String>("rendition", "name of the rendition to download", .optional))],
        answer: .value(
            Either<APIObject<CopyOfferFields>, APIObject<CopyManifestFields>>.self, "The renditions, or the manifest")
    )
    .or(
        APIAnswer(
            202, "The copy is being prepared", [.json(CopyProgressFields.self)], headers: [Field<String>("Retry-After")]
        )
    )
    .refusing(.rentalNeeded, .rentalEnded, .copyReplaced)

    package static let getRentalPoster = APIOperation(
        .get, "/api/v1/rentals/{id}/poster", "getRentalPoster",
        "The poster of a rented title, which devices keep with the copy",
        "The credential may be that of a device. 402 (rental-needed) for a rental that the sender does not have, 404 for a title without a poster, 410 (rental-over) after the end.",
        parameters: [.id], answer: .content("The poster", APIContent("image/jpeg", String.self))
    )
    .refusing(.rentalNeeded, .rentalEnded)

    package static let getCopyKey = APIOperation(
        .get, "/api/v1/rentals/{id}/copies/{rendition}/key", "getCopyKey",
        "The key of a copy, wrapped for the device that asks",
        #"The credential must be that of a device. HPKE (RFC 9180, base mode) with X25519, HKDF-SHA256 and ChaCha20-Poly1305; the info is "antena offline copy 1", the copy and the device, with line feeds between them. 403 (rental-not-activated) before the activation, 410 (rental-over) after the end."#,
        parameters: [.id, .copyRendition], answer: .object(CopyKeyFields.self, "The wrapped key")
    )
    .refusing(.rentalNeeded, .rentalNotActivated, .rentalEnded, .invalidField)

    package static let setCopyState = APIOperation(
        .put, "/api/v1/rentals/{id}/copies/{rendition}/state", "setCopyState", "Say how far a device is with a copy",
        "The credential must be that of a device.", parameters: [.id, .copyRendition],
        body: APIBody(.json(CopyStateChangeFields.self)), answer: .nothing("It was noted")
    )
    .refusing(.rentalNeeded, .rentalEnded, .missingFields)

    package static let listDevices = APIOperation(
        .get, "/api/v1/me/devices", "listDevices", "The sender's devices for offline copies, newest first",
        "All of them, 10 at most.", answer: .page(of: DeviceFields.self, "Devices"))

    package static let addDevice = APIOperation(
        .post, "/api/v1/me/devices", "addDevice", "Register a device for offline copies",
        "409 (too-many) for an eleventh device.", parameters: [.idempotencyKey],
        body: APIBody(.json(NewDeviceFields.self)),
        answer: .object(DeviceFields.self, "The device with its credential, which is shown once", status: 201)
    )
    .refusing(.tooMany, .missingFields, .keyOfAnotherRequest)
    .failing(with: APIProblem(409, .requestInProgress))

    package static let deleteDevice = APIOperation(
        .delete, "/api/v1/me/devices/{id}", "deleteDevice", "Remove a device; its credential and its downloads end",
        parameters: [.id], answer: .nothing("It was removed"))
}
