import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument

/// `/api/v1/me`: the caller's own account, sessions and second factor.
struct MeEndpoints: Sendable {
    let context: AccountsEndpoints
    /// Archives with the videos that members have sent: two pieces of 128 KiB for each.
    private let places = DownloadPlaces(maximumCount: 16, maximumCountOfHolder: 1)

    init(context: AccountsEndpoints) { self.context = context }

    private static let path = "/api/v1/me"
    private static let own = AccessRule.member(.session, reason: "the caller's own account")

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path, .member(.read, reason: "the caller's own account")) { _, caller in
                Self.answer(try await context.required().account(of: caller.caller))
            },
            Endpoint(.patch, Self.path, Self.own, handler: change),
            Endpoint(.delete, Self.path, Self.own) { request, caller in
                let body = try await AccountsBody(request, fields: ["currentPassword"])
                try await context.required().deleteAccount(
                    password: try body.text("currentPassword"), by: caller.caller)
                return Response(status: .noContent)
                    .adding(.setCookie, SessionCookie.removing(isSecure: context.isSecure(request)))
            },
            Endpoint(.put, "\(Self.path)/password", Self.own) { request, caller in
                let body = try await AccountsBody(request, fields: ["password", "currentPassword"])
                let account = try await context.required().changePassword(
                    to: try body.required("password"), current: try body.text("currentPassword"), by: caller.caller)
                context.send(.passwordChanged(of: account), request)
                return Response(status: .noContent)
            },
            Endpoint(.put, "\(Self.path)/email", Self.own, handler: changeEmail),
            Endpoint(.get, "\(Self.path)/export", Self.own, handler: export),
            Endpoint(.get, "\(Self.path)/export.zip", Self.own, handler: exportArchive),
        ] + sessions + secondFactor
    }

    private static func answer(_ account: Account, status: HTTPResponse.Status = .ok) -> Response {
        APIResources.account(account).response(status: status).adding(.eTag, EntityTag(account.revision).field)
    }

    private func change(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await AccountsBody(request, fields: AccountsBody.ownFields)
        let accounts = try context.required()
        let revisions = try IfMatch.required(in: request).revisions
        return Self.answer(
            try await accounts.changeProfile(from: revisions, by: caller.caller) { profile in
                try body.profile(over: profile)
            })
    }

    /// The status is 202 if the new address has to be confirmed first.
    private func changeEmail(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await AccountsBody(request, fields: ["email", "currentPassword"])
        let accounts = try context.required()
        let email = try body.required("email")
        let present = try await accounts.account(of: caller.caller)
        let link = try await accounts.changeEmail(
            to: email, password: try body.text("currentPassword"), by: caller.caller)
        guard let link else { return Self.answer(try await accounts.account(of: caller.caller)) }
        context.send(.newAddress(link, of: present), request)
        context.send(.addressChange(of: present, to: link.link.email ?? email), request)
        return Self.answer(present, status: .accepted)
    }

    /// All that the server knows about the account, for its owner, as one document.
    private func export(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let export = try await MemberExport(of: caller, context)
        return export.document.response()
            .adding(.contentDisposition, "attachment; filename=\"antena-\(export.account.id.text).json\"")
    }

    /// The same as an archive with a file for each area, and with `files=true` also the videos that the member has
    /// sent.
    private func exportArchive(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let wantsFiles = try PageRequest.flag("files", in: request)
        let export = try await MemberExport(of: caller, context)
        let text = MemberExportText(SiteLanguage.preferred(request.headers[.acceptLanguage]))
        let name = "antena-\(export.account.id.text).zip"
        let areas = export.files(text, context.publicAddress)
        guard wantsFiles else {
            let introduction = export.introduction(text, files: nil)
            return ArchiveResponse.of(name, [introduction] + areas, modifiedAt: export.madeAt)
        }
        let files = try await memberFiles(of: export, caller)
        return ArchiveResponse.of(name, areas, modifiedAt: export.madeAt) { archive, writer in
            let entries = try await files.write(to: &archive, &writer, modifiedAt: export.madeAt)
            return [export.introduction(text, files: entries)]
        }
    }

    private func memberFiles(of export: MemberExport, _ caller: GatewayRequestContext) async throws -> MemberFiles {
        guard let place = places.take(export.account.id.text) else {
            var problem = ProblemDetails(
                .serviceUnavailable,
                "an archive with your videos is being downloaded already, or too many of others; try again later")
            problem.headers[.retryAfter] = "60"
            throw problem
        }
        var (uploads, cursor): ([MemberUpload], String?) = ([], nil)
        if let community = context.community {
            repeat {
                let page = try await community.uploads(by: caller.caller, after: cursor, limit: 100).page
                uploads += page.items
                cursor = page.next
            } while cursor != nil && uploads.count < MemberFiles.maximumCount
        }
        return MemberFiles(
            uploads: uploads, library: context.library, threadPool: context.threadPool, place: place)
    }

    // MARK: Sessions

    private var sessions: [Endpoint] {
        [
            Endpoint(.get, "\(Self.path)/sessions", Self.own) { _, caller in
                let sessions = try await context.required().sessions(of: caller.caller)
                return APIResources.page(
                    sessions.map { APIResources.session($0, isOwn: $0.id == caller.principal.session) }
                ).response()
            },
            Endpoint(.delete, "\(Self.path)/sessions", Self.own) { _, caller in
                try await context.required().endAllSessions(keepsThis: true, by: caller.caller)
                return Response(status: .noContent)
            },
            Endpoint(.delete, "\(Self.path)/sessions/{id}", Self.own) { _, caller in
                guard let id = OpaqueID(parsing: try caller.parameters.require("id")) else {
                    throw AccountsError(.notFound, "your account has no such session")
                }
                try await context.required().endSession(id, by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }

    // MARK: Second factor

    private var secondFactor: [Endpoint] {
        let path = "\(Self.path)/second-factor"
        return [
            Endpoint(.get, path, Self.own) { _, caller in
                let status = try await context.required().secondFactor(of: caller.caller)
                return JSONText.object([
                    ("isOn", .boolean(status.isOn)), ("recoveryCodes", .integer(status.recoveryCodeCount)),
                ]).response()
            },
            Endpoint(.post, path, Self.own) { request, caller in
                let body = try await AccountsBody(request, fields: ["currentPassword"])
                let setUp = try await context.required().beginSecondFactor(
                    password: try body.text("currentPassword"), by: caller.caller)
                return JSONText.object([("uri", .string(setUp.uri))]).response()
            },
            Endpoint(.put, path, Self.own) { request, caller in
                let body = try await AccountsBody(request, fields: ["code"])
                let codes = try await context.required().confirmSecondFactor(
                    try body.required("code"), by: caller.caller)
                return JSONText.object([("recoveryCodes", .array(codes.map { .string($0.text) }))]).response()
            },
            Endpoint(.delete, path, Self.own) { request, caller in
                let body = try await AccountsBody(request, fields: ["currentPassword"])
                try await context.required().turnOffSecondFactor(
                    password: try body.text("currentPassword"), by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }
}
