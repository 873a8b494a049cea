import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import Workflows

/// `/api/v1/me/photo` and `/api/v1/users/{name}/photo`.
struct PhotoEndpoints: Sendable {
    let context: AccountsEndpoints
    let photos: PhotoUpload

    private static let reason = "the caller's own account"
    private static let changing = AccessRule.member(.session, reason: reason)

    var endpoints: [Endpoint] {
        [
            Endpoint(AccountAPI.getOwnPhoto, .member(.read, reason: Self.reason)) { request, caller in
                try Self.answer(try await context.accounts.photo(by: caller.caller), request)
            },
            Endpoint(AccountAPI.setOwnPhoto, Self.changing) { request, caller in
                let accounts = context.accounts
                _ = try await accounts.account(of: caller.caller)
                guard let photo = try await photos.photo(in: request, from: caller.uploadSender) else {
                    throw ProblemDetails(.unprocessableContent, "the photo is empty")
                }
                return APIResources.account(try await accounts.changePhoto(to: photo, by: caller.caller)).response()
            },
            Endpoint(AccountAPI.deleteOwnPhoto, Self.changing) { _, caller in
                _ = try await context.accounts.changePhoto(to: nil, by: caller.caller)
                return Response(status: .noContent)
            },
            Endpoint(
                AccountAPI.getUserPhoto, .member(.read, reason: "members see one another's photos")
            ) { request, caller in
                let name = try caller.parameters.require("name")
                return try Self.answer(try await context.accounts.photo(of: name, by: caller.caller), request)
            },
        ]
    }

    private static func answer(_ photo: AccountPhoto?, _ request: Request) throws -> Response {
        guard let photo else { throw ProblemDetails(.notFound, "there is no photo") }
        return .conditional(
            photo.jpeg, type: "image/jpeg", tag: EntityTag(photo.version), cacheControl: "private, no-cache",
            for: request)
    }
}
