package import APIContract
import JSONDocument
import MediaCore

/// The operations of the API for accounts.
package enum AccountAPI {
    package static let getSession = APIOperation(
        .get, "/api/v1/session", "getSession", "Who the sender is",
        answer: .object(SenderFields.self, "The sender; null for a stranger"))

    package static let logIn = APIOperation(
        .post, "/api/v1/session", "logIn", "Log in",
        "401 for a wrong name or password, 403 for an account that cannot be used, 429 after 15 attempts in 5 minutes.",
        body: APIBody(.json(LogInRequestFields.self)),
        answer: .object(SessionBegunFields.self, "The session has begun; its cookie is set")
    )
    .or(APIAnswer(202, "A code of the second factor is needed as well", [.json(SecondFactorChallengeFields.self)]))
    .refusing(.wrongCredentials, .accountPending, .accountSuspended, .invalidEmail, .missingFields, .tooManyAttempts)

    package static let logOut = APIOperation(
        .delete, "/api/v1/session", "logOut", "Log out", answer: .nothing("The session has ended"))

    package static let listProviders = APIOperation(
        .get, "/api/v1/session/providers", "listProviders", "The services with which people log in",
        "A browser opens the path; the service leads it back, logged in.",
        answer: .page(of: LogInProviderFields.self, "The providers, in the order of the site's buttons"))

    package static let enterSecondFactor = APIOperation(
        .post, "/api/v1/session/second-factor", "enterSecondFactor", "Finish logging in with the second factor",
        body: APIBody(.json(SecondFactorEntryFields.self)),
        answer: .object(SessionBegunFields.self, "The session has begun; its cookie is set")
    )
    .refusing(.wrongCode, .accountSuspended, .notAvailable, .linkNotValid, .missingFields, .tooManyAttempts)

    package static let listUsers = APIOperation(
        .get, "/api/v1/users", "listUsers", "Accounts",
        parameters: [
            .limit, .cursor,
            .query(Field<String>("q", "beginning of the username", .optional, .maximumLength(200))),
            .query(
                Field<String>(
                    "role", "role of the accounts; all if missing", .optional,
                    .oneOf("viewer", "member", "broadcaster", "moderator", "operator", "administrator"))),
            .query(Field<AccountStateName>("state", "state of the accounts; all if missing", .optional)),
        ], answer: .page(of: AccountFields.self, "Accounts in the order of their usernames")
    )
    .refusing(.invalidCursor)

    package static let createUser = APIOperation(
        .post, "/api/v1/users", "createUser", "Sign up, or create an account for somebody",
        "409 if the name or the address is taken, 422 with the names of the fields that are missing or wrong, 429 after 2 sign-ups in 5 minutes. As a form, the body may have a photo; one that cannot be used is left out, and `photo` of the answer is null then.",
        parameters: [.idempotencyKey],
        body: APIBody(
            .json(NewAccountFields.self), APIContent("multipart/form-data", APIObject<NewAccountFormFields>.self)),
        answer: .object(AccountFields.self, "The account; its state says what it waits for", status: 201)
    )
    .refusing(
        .loginNeeded, .forbidden, .registrationClosed, .invitationNeeded, .usernameTaken, .emailTaken,
        .invalidUsername, .invalidEmail, .invalidPassword, .missingFields, .keyOfAnotherRequest, .tooManyAttempts
    )
    .failing(with: APIProblem(409, .requestInProgress))

    package static let getUser = APIOperation(
        .get, "/api/v1/users/{name}", "getUser", "An account", parameters: [.user],
        answer: .object(AccountFields.self, "The account; ETag is its version", headers: [Field<String>("ETag")]))

    package static let changeUser = APIOperation(
        .patch, "/api/v1/users/{name}", "changeUser", "Change role, state or password of an account",
        "All of it or nothing. 428 without If-Match, 412 if somebody else has changed the account meanwhile.",
        parameters: [.user, .ifMatch], body: APIBody(.json(AccountChangeFields.self)),
        answer: .object(AccountFields.self, "The account; ETag is its version", headers: [Field<String>("ETag")])
    )
    .refusing(.passwordNeeded, .conflict, .lastAdministrator, .invalidPassword)

    package static let deleteUser = APIOperation(
        .delete, "/api/v1/users/{name}", "deleteUser", "Delete an account", parameters: [.user],
        answer: .nothing("The account, its sessions and tokens are gone")
    )
    .refusing(.lastAdministrator)

    package static let setUserPermissions = APIOperation(
        .put, "/api/v1/users/{name}/channels/{channel}", "setUserPermissions",
        "Set what an account may do with a channel beyond its role",
        parameters: [
            .user, .ifMatchOfOwner,
            .path(Field<String>("channel", "name of the channel", .minimumLength(1), .maximumLength(100))),
        ], body: APIBody(.json(PermissionGrantFields.self)), answer: .object(AccountFields.self, "The account"))

    package static let makePasswordLink = APIOperation(
        .post, "/api/v1/users/{name}/password-link", "makePasswordLink",
        "Make a link with which somebody sets a new password", parameters: [.idempotencyKey, .user],
        answer: .object(OneTimeLinkFields.self, "The link, which is shown once", status: 201)
    )
    .refusing(.passwordNeeded, .keyOfAnotherRequest)
    .failing(with: APIProblem(400, .badRequest), APIProblem(409, .requestInProgress))

    package static let resetUserSecondFactor = APIOperation(
        .delete, "/api/v1/users/{name}/second-factor", "resetUserSecondFactor", "Turn off somebody's second factor",
        parameters: [.user], answer: .nothing("The second factor is off")
    )
    .refusing(.passwordNeeded)

    package static let listInvitations = APIOperation(
        .get, "/api/v1/invitations", "listInvitations", "Invitations that nobody has used",
        answer: .page(of: OneTimeLinkFields.self, "Invitations, newest first"))

    package static let createInvitation = APIOperation(
        .post, "/api/v1/invitations", "createInvitation", "Invite somebody", parameters: [.idempotencyKey],
        body: APIBody(.json(NewInvitationFields.self)),
        answer: .object(OneTimeLinkFields.self, "The link, which is shown once", status: 201)
    )
    .refusing(.invalidEmail, .keyOfAnotherRequest)
    .failing(with: APIProblem(409, .requestInProgress))

    package static let deleteInvitation = APIOperation(
        .delete, "/api/v1/invitations/{id}", "deleteInvitation", "End an invitation", parameters: [.id],
        answer: .nothing("The invitation has ended"))

    package static let getMe = APIOperation(
        .get, "/api/v1/me", "getMe", "The sender's account",
        answer: .object(AccountFields.self, "The account; ETag is its version", headers: [Field<String>("ETag")]))

    package static let changeMe = APIOperation(
        .patch, "/api/v1/me", "changeMe", "Change the profile",
        "Fields that are missing stay as they are; null empties a field. 428 without If-Match, 412 if the account was changed meanwhile.",
        parameters: [.ifMatch], body: APIBody(.json(ProfileChangeFields.self)),
        answer: .object(AccountFields.self, "The account; ETag is its version", headers: [Field<String>("ETag")])
    )
    .refusing(.missingFields)

    package static let deleteMe = APIOperation(
        .delete, "/api/v1/me", "deleteMe", "Delete the account", body: APIBody(.json(PasswordConfirmationFields.self)),
        answer: .nothing("The account, its sessions and tokens are gone")
    )
    .refusing(.wrongCredentials, .passwordNeeded, .lastAdministrator, .tooManyAttempts)

    package static let changePassword = APIOperation(
        .put, "/api/v1/me/password", "changePassword", "Change the password; all other sessions end",
        body: APIBody(.json(PasswordChangeFields.self)), answer: .nothing("The password is changed")
    )
    .refusing(.wrongCredentials, .passwordNeeded, .invalidPassword, .missingFields, .tooManyAttempts)

    package static let changeEmail = APIOperation(
        .put, "/api/v1/me/email", "changeEmail", "Change the e-mail address",
        body: APIBody(.json(EmailChangeFields.self)),
        answer: .object(AccountFields.self, "The account with the new address")
    )
    .or(
        APIAnswer(
            202, "The account as it stays until the link in the mail to the new address is followed",
            [.json(AccountFields.self)])
    )
    .refusing(.wrongCredentials, .passwordNeeded, .emailTaken, .invalidEmail, .missingFields, .tooManyAttempts)

    package static let requestPasswordReset = APIOperation(
        .post, "/api/v1/password-resets", "requestPasswordReset", "Ask for a mail with which a new password is set",
        "The answer is the same whether or not there is an account with the address. 404 if the server cannot send mail, 429 after 3 mails to an address in an hour.",
        body: APIBody(.json(MailRequestFields.self)),
        answer: .nothing("A mail is sent if there is such an account", status: 202)
    )
    .refusing(.notAvailable, .invalidEmail, .missingFields, .tooManyAttempts)

    package static let resetPassword = APIOperation(
        .put, "/api/v1/password-resets", "resetPassword", "Set a new password with a one-time link; all sessions end",
        "410 if the link was used before or has expired.", body: APIBody(.json(PasswordResetFields.self)),
        answer: .nothing("The password is changed")
    )
    .refusing(.linkNotValid, .invalidPassword, .missingFields, .tooManyAttempts)

    package static let requestEmailConfirmation = APIOperation(
        .post, "/api/v1/email-confirmations", "requestEmailConfirmation",
        "Ask again for the mail that confirms the address of a new account",
        "The answer is the same whether or not an account waits for it. 404 if the server cannot send mail, 429 after 3 mails to an address in an hour.",
        body: APIBody(.json(MailRequestFields.self)),
        answer: .nothing("A mail is sent if an account waits for it", status: 202)
    )
    .refusing(.notAvailable, .invalidEmail, .missingFields, .tooManyAttempts)

    package static let confirmEmail = APIOperation(
        .put, "/api/v1/email-confirmations", "confirmEmail", "Confirm an e-mail address with a one-time link",
        "410 if the link was used before or has expired, 409 if another account has the address by now.",
        body: APIBody(.json(ConfirmationLinkFields.self)),
        answer: .object(
            ConfirmedAccountFields.self, "The address is confirmed; the account can be used, or waits for approval")
    )
    .refusing(.emailTaken, .linkNotValid, .missingFields, .tooManyAttempts)

    package static let getOwnPhoto = APIOperation(
        .get, "/api/v1/me/photo", "getOwnPhoto", "The photo of the account",
        answer: .content(
            "A square JPEG of 256 pixels", APIContent("image/jpeg", String.self, [.format("binary")]),
            headers: [Field<String>("ETag")])
    )
    .or(APIAnswer(304, "The photo has not changed since the version in If-None-Match"))
    .failing(with: APIProblem(404, .notFound))

    package static let setOwnPhoto = APIOperation(
        .put, "/api/v1/me/photo", "setOwnPhoto", "Set the photo of the account",
        "The square in the middle is cut out, scaled to 256 pixels and encoded again, without metadata.",
        body: APIBody(
            APIContent("image/jpeg", String.self, [.minimumLength(1), .maximumLength(8388608), .format("binary")]),
            APIContent("image/png", String.self, [.minimumLength(1), .maximumLength(8388608), .format("binary")])),
        answer: .object(AccountFields.self, "The account")
    )
    .failing(with: APIProblem(429, .tooManyRequests))

    package static let deleteOwnPhoto = APIOperation(
        .delete, "/api/v1/me/photo", "deleteOwnPhoto", "Remove the photo of the account",
        answer: .nothing("The account has no photo"))

    package static let getUserPhoto = APIOperation(
        .get, "/api/v1/users/{name}/photo", "getUserPhoto", "The photo of a member",
        "404 if there is no such account, or if it has no photo.", parameters: [.user],
        answer: .content(
            "A square JPEG of 256 pixels", APIContent("image/jpeg", String.self, [.format("binary")]),
            headers: [Field<String>("ETag")])
    )
    .or(APIAnswer(304, "The photo has not changed since the version in If-None-Match"))

    package static let exportOwnDataArchive = APIOperation(
        .get, "/api/v1/me/export.zip", "exportOwnDataArchive", "All data of the account as a ZIP archive",
        "What /api/v1/me/export has, as a file for each area, with the photo as an image, the published videos with the addresses of their pages, and a text that says what each file is, in the language of Accept-Language. With `files=true`, the videos that the member has sent are in it as well, as they were sent; 503 if an archive of the member with videos is being downloaded already, or too many of others.",
        parameters: [
            .query(
                Field<Bool>(
                    "files", "whether the videos that the member has sent are in the archive", .optional,
                    .standard(.boolean(false))))
        ], answer: .content("The archive", APIContent("application/zip", String.self, [.format("binary")])))

    package static let exportOwnData = APIOperation(
        .get, "/api/v1/me/export", "exportOwnData", "All data of the account",
        answer: .object(
            MemberDataFields.self,
            "Account, sessions, tokens, webhooks, and what the member has at the video club and in the community"))

    package static let listSessions = APIOperation(
        .get, "/api/v1/me/sessions", "listSessions", "The account's sessions",
        answer: .page(of: SessionFields.self, "Sessions, newest first"))

    package static let endOtherSessions = APIOperation(
        .delete, "/api/v1/me/sessions", "endOtherSessions", "End all other sessions of the account",
        answer: .nothing("They have ended"))

    package static let endSession = APIOperation(
        .delete, "/api/v1/me/sessions/{id}", "endSession", "End a session", parameters: [.id],
        answer: .nothing("It has ended"))

    package static let getSecondFactor = APIOperation(
        .get, "/api/v1/me/second-factor", "getSecondFactor", "Whether there is a second factor",
        answer: .object(SecondFactorStateFields.self, "Its state"))

    package static let beginSecondFactor = APIOperation(
        .post, "/api/v1/me/second-factor", "beginSecondFactor", "Begin to set up an authenticator app",
        body: APIBody(.json(PasswordConfirmationFields.self)), answer: .object(SecondFactorSetupFields.self, "Its key")
    )
    .refusing(.wrongCredentials, .passwordNeeded, .conflict, .tooManyAttempts)

    package static let enableSecondFactor = APIOperation(
        .put, "/api/v1/me/second-factor", "enableSecondFactor", "Turn the second factor on with a code of the app",
        body: APIBody(.json(SecondFactorCodeFields.self)),
        answer: .object(RecoveryCodesFields.self, "Recovery codes, which are shown once")
    )
    .refusing(.wrongCode, .notAvailable, .conflict, .missingFields, .tooManyAttempts)

    package static let disableSecondFactor = APIOperation(
        .delete, "/api/v1/me/second-factor", "disableSecondFactor", "Turn the second factor off",
        body: APIBody(.json(PasswordConfirmationFields.self)), answer: .nothing("It is off")
    )
    .refusing(.wrongCredentials, .passwordNeeded, .tooManyAttempts)

    package static let listTokens = APIOperation(
        .get, "/api/v1/tokens", "listTokens", "API tokens and app passwords",
        parameters: [
            .query(
                Field<String>(
                    "user", "username or e-mail address of another owner, for administrators; the sender if missing",
                    .optional, .maximumLength(320)))
        ], answer: .page(of: TokenFields.self, "Tokens, newest first")
    )
    .refusing(.notFound, .invalidField)

    package static let createToken = APIOperation(
        .post, "/api/v1/tokens", "createToken", "Make an API token or app password", parameters: [.idempotencyKey],
        body: APIBody(.json(NewTokenFields.self)),
        answer: .object(TokenFields.self, "The token with its secret, which is shown once", status: 201)
    )
    .refusing(
        .wrongCredentials, .passwordNeeded, .notFound, .tooMany, .missingFields, .keyOfAnotherRequest,
        .tooManyAttempts
    )
    .failing(with: APIProblem(409, .requestInProgress))

    package static let deleteToken = APIOperation(
        .delete, "/api/v1/tokens/{id}", "deleteToken", "End a token",
        parameters: [
            .id,
            .query(
                Field<String>(
                    "user", "username or e-mail address of another owner, for administrators; the sender if missing",
                    .optional, .maximumLength(320))),
        ], answer: .nothing("The token has ended")
    )
    .refusing(.invalidField)

    package static let startDeviceAuthorization = APIOperation(
        .post, "/api/v1/device", "startDeviceAuthorization", "Begin to log in a device without a keyboard (RFC 8628)",
        answer: .object(DeviceAuthorizationFields.self, "The codes")
    )
    .refusing(.tooManyAttempts)

    package static let getDeviceToken = APIOperation(
        .post, "/api/v1/device/token", "getDeviceToken", "Ask whether somebody has approved the device",
        body: APIBody(.json(DeviceCodeFields.self)), answer: .object(DeviceTokenFields.self, "The device has logged in")
    )
    .or(
        APIAnswer(
            400, "Not yet, or never (RFC 8628, section 3.5)",
            [.json(DeviceTokenErrorFields.self), APIContent("application/problem+json", APIObject<ProblemFields>.self)])
    )
    .refusing(.missingFields, .tooManyAttempts)

    package static let listAuditEntries = APIOperation(
        .get, "/api/v1/audit", "listAuditEntries", "The audit log, newest first",
        parameters: [
            .limit, .cursor,
            .query(
                Field<String>(
                    "event", "kind of the changes, or the part before its dot; all if missing", .optional,
                    .maximumLength(100))),
            .query(
                Field<String>(
                    "user", "username or e-mail address of the account that was changed; all if missing", .optional,
                    .maximumLength(320))),
            .query(Field<String>("format", "form of the answer; json if missing", .optional, .oneOf("json", "csv"))),
        ], answer: .page(of: AuditEntryFields.self, "Entries", also: [APIContent("text/csv", String.self)])
    )
    .refusing(.notFound, .invalidCursor)
    .failing(with: APIProblem(422, .notValid))
}
