import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import SiteTexts
import Workflows

/// The photo on a member's account page.
struct PhotoPages: Sendable {
    let pages: AccountPages

    private static let path = "/cuenta/foto"
    private static let removalPath = "/cuenta/foto/quitar"
    /// The parameter of the account page that says that a photo could not be used.
    static let refusalParameter = "sin-foto"
    /// The parameter of the account page that says that a provider's picture could not be used.
    static let pictureRefusalParameter = "sin-imagen"
    private static let own = AccessRule.member(.session, reason: "the visitor's own account")

    var endpoints: [Endpoint] {
        [
            Endpoint(.post, Self.path, Self.own, handler: change),
            Endpoint(.post, Self.removalPath, Self.own) { request, context in
                do {
                    _ = try await pages.accounts.changePhoto(to: nil, by: context.caller)
                    return pages.redirect(AccountSection.profile.savedPath)
                } catch let error as Refusal {
                    return try await OwnAccountPages(pages: pages).account(.profile, error: error, request, context)
                }
            },
        ]
    }

    /// The part of the account page; `nil` if the server takes no photos.
    func section(_ account: Account, _ text: AccountText, _ request: Request) -> PageSection? {
        guard pages.photos != nil else { return nil }
        var section = PageSection(
            heading: text.photo, text: text.photoText,
            forms: [
                PageForm(
                    action: Self.path,
                    fields: [.photo("photo", label: text.choosePhoto, .preferred(request.headers[.acceptLanguage]))],
                    button: text.usePhoto, isQuiet: true, sendsFile: true)
            ])
        if let version = account.photo {
            section.image = ("/api/v1/me/photo?v=\(version)", text.photo)
            section.forms.append(PageForm(action: Self.removalPath, button: text.removePhoto, isDangerous: true))
        }
        return section
    }

    private func change(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        _ = try await pages.accounts.account(of: context.caller)
        guard let photos = pages.photos else { throw ProblemDetails(.notFound) }
        do {
            guard let photo = try await photos.photo(in: request, from: context.uploadSender) else {
                return try await refusal(.unprocessableContent, request, context)
            }
            _ = try await pages.accounts.changePhoto(to: photo, by: context.caller)
            return pages.redirect(AccountSection.profile.savedPath)
        } catch let error as ProblemDetails where error.status.kind == .clientError {
            return try await refusal(error.status, request, context)
        } catch let error as Refusal {
            return try await OwnAccountPages(pages: pages).account(.profile, error: error, request, context)
        }
    }

    private func refusal(
        _ status: HTTPResponse.Status, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        try await OwnAccountPages(pages: pages).account(
            .profile, problem: Self.sentence(status, pages.text(request)), request, context, status: status)
    }

    /// The account page's sentence about a photo that could not be used; `nil` for none.
    func problem(_ request: Request) -> String? {
        let text = pages.text(request)
        if PageRequest.value(of: Self.refusalParameter, in: request) != nil { return text.photoNotUsable }
        return PageRequest.value(of: Self.pictureRefusalParameter, in: request) == nil ? nil : text.noPicture
    }

    /// The sentence about a photo that was refused with a status.
    static func sentence(_ status: HTTPResponse.Status, _ text: AccountText) -> String {
        switch status {
        case .contentTooLarge: text.photoTooLarge
        case .tooManyRequests: text.error(Refusal(.busy, "the server is busy; try again in a moment"))
        default: text.photoNotUsable
        }
    }
}
