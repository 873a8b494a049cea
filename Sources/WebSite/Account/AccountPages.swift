package import Accounts
import Foundation
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
package import IdentityProviders
import MediaCore
import SiteTexts
package import Workflows

/// The account pages, and what they share.
package struct AccountPages: Sendable {
    let accounts: Accounts
    /// The address at which visitors reach the site; `nil` if the operator has not named it.
    let publicAddress: PublicAddress?
    private let mailer: (any AccountMailer)?
    /// Receives photos; `nil` if the server cannot decode them.
    let photos: PhotoUpload?
    /// The services with which people log in; `nil` for a server without any.
    let providers: ProviderDirectory?
    /// The title of a channel by its name; `nil` if there is no such channel.
    let channelTitle: @Sendable (String) -> String?
    /// The links of the domains on the page of an account.
    let links: [AccountPageLink]

    /// - Parameters:
    ///   - accounts: the accounts.
    ///   - publicAddress: the address at which visitors reach the site; `nil` if the operator has not named it.
    ///   - mailer: sends mail; `nil` if the server cannot.
    ///   - photos: receives photos; `nil` if the server cannot decode them.
    ///   - providers: the services with which people log in; `nil` for a server without any.
    ///   - links: the links of the domains on the page of an account.
    ///   - channelTitle: the title of a channel by its name; `nil` if there is no such channel.
    package init(
        accounts: Accounts, publicAddress: PublicAddress?, mailer: (any AccountMailer)? = nil,
        photos: PhotoUpload? = nil, providers: ProviderDirectory? = nil, links: [AccountPageLink] = [],
        channelTitle: @escaping @Sendable (String) -> String?
    ) {
        (self.accounts, self.publicAddress, self.mailer, self.photos) = (accounts, publicAddress, mailer, photos)
        (self.providers, self.links, self.channelTitle) = (providers, links, channelTitle)
    }

    /// Sends a mail in the language of a request, if the server sends any.
    func send(_ mail: AccountMail, _ request: Request) {
        mailer?.send(mail, in: .preferred(request.headers[.acceptLanguage]))
    }

    /// Whether visitors get links by mail, not by an administrator.
    var sendsMail: Bool { mailer != nil && accounts.settings.confirmsEmail }

    private static let referrerPolicy = HTTPField.Name("Referrer-Policy")

    /// The endpoints of all account pages.
    package var endpoints: [Endpoint] {
        LogInPages(pages: self).endpoints + SignUpPages(pages: self).endpoints
            + OwnAccountPages(pages: self).endpoints + PhotoPages(pages: self).endpoints
            + PasskeyPages(pages: self).endpoints
            + ProviderPages(pages: self).endpoints
            + AdministrationPages(pages: self).endpoints + AccountTokenPages(pages: self).endpoints
    }

    /// A page of sections.
    ///
    /// - Parameters:
    ///   - heading: the page's heading.
    ///   - sections: the parts of the page, in order.
    ///   - error: what went wrong with the form that led here.
    ///   - notice: what was done.
    ///   - preview: what other sites show of a link to the page.
    ///   - menu: the page in the account's menu that the answer belongs to; `nil` for the page of the request.
    ///   - request: the visitor's request.
    ///   - context: who the visitor is.
    func answer(
        _ heading: String, _ sections: [PageSection], error: String? = nil, notice: String? = nil,
        preview: [SitePage.PreviewField] = [], menu: String? = nil, _ request: Request,
        _ context: GatewayRequestContext, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let page = SitePage(.account, request, context)
        var values: [String: Any] = [
            "pageHeading": SitePage.displayed(heading),
            "sections": Self.withOnePrimary(sections).map { $0.values(csrf: context.csrfToken) },
        ]
        if context.principal.member != nil {
            let text = text(request)
            values["menu"] = AccountMenu(links, text, context).values(
                path: menu ?? request.uri.path, text, csrf: context.csrfToken)
        }
        if let error { values["problem"] = SitePage.displayed(error) }
        if let notice { values["done"] = SitePage.displayed(notice) }
        var response = try page.response(values, title: SitePage.displayed(heading), preview: preview, status: status)
        response.headers[.cacheControl] = "private, no-store"
        // The address may hold a one-time link. With `no-referrer`, a browser would send `Origin: null` with the page's
        // own forms, which `SameOriginCheck` refuses (Fetch standard, "append a request Origin header").
        if let name = Self.referrerPolicy { response.headers[name] = "strict-origin" }
        return response
    }

    /// The sections of a page with one primary button: the first one that is not quiet. The others are outlined.
    private static func withOnePrimary(_ sections: [PageSection]) -> [PageSection] {
        var (sections, hasPrimary) = (sections, false)
        for index in sections.indices {
            for form in sections[index].forms.indices where !sections[index].forms[form].isDangerous {
                if hasPrimary { sections[index].forms[form].isQuiet = true }
                if !sections[index].forms[form].isQuiet { hasPrimary = true }
            }
            if sections[index].button != nil { hasPrimary = true }
        }
        return sections
    }

    /// Sends the browser to a page with GET, so that a reload repeats nothing.
    func redirect(_ path: String, cookie: String? = nil) -> Response {
        var response = Response(status: .seeOther, headers: [.location: path, .cacheControl: "private, no-store"])
        if let cookie { response.headers[.setCookie] = cookie }
        return response
    }

    func text(_ request: Request) -> AccountText { AccountText.preferred(request.headers[.acceptLanguage]) }

    func isSecure(_ request: Request) -> Bool { publicAddress?.isSecure == true || request.head.scheme == "https" }

    /// Begins a session in the visitor's browser and goes to a page.
    func begin(
        _ session: NewSession, _ path: String, _ request: Request, _ context: GatewayRequestContext
    ) async -> Response {
        // Nobody goes on in a session that somebody else may have put into the browser.
        if context.identity.session != nil { try? await accounts.logOut(context.caller) }
        let cookie = SessionCookie.setting(
            session, isSecure: isSecure(request), now: session.session.createdAt)
        return redirect(path, cookie: cookie)
    }

    /// The status of a page that says what is wrong with a form.
    static func status(_ error: Refusal) -> HTTPResponse.Status {
        // 401 would need a challenge that no form can answer.
        error.code.status == .unauthorized ? .forbidden : error.code.status
    }
}
