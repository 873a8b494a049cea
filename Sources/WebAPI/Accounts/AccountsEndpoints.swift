package import Accounts
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
package import IdentityProviders
import SiteTexts
package import Workflows

/// The endpoints of accounts: sessions, users, the caller's own account, tokens, and the audit log.
package struct AccountsEndpoints: Sendable {
    let accounts: Accounts
    /// The address at which visitors reach the site; `nil` if the operator has not named it.
    let publicAddress: PublicAddress?
    /// Sends mail; `nil` if the server cannot.
    let mailer: (any AccountMailer)?
    let photos: PhotoUpload
    /// The services with which people log in; `nil` for a server without any.
    let providers: ProviderDirectory?

    /// - Parameters:
    ///   - accounts: the accounts.
    ///   - publicAddress: the address at which visitors reach the site; `nil` if the operator has not named it.
    ///   - mailer: sends mail; `nil` if the server cannot.
    ///   - photos: receives photos.
    ///   - providers: the services with which people log in; `nil` for a server without any.
    package init(
        accounts: Accounts, publicAddress: PublicAddress?, mailer: (any AccountMailer)?, photos: PhotoUpload,
        providers: ProviderDirectory?
    ) {
        (self.accounts, self.publicAddress, self.mailer) = (accounts, publicAddress, mailer)
        (self.photos, self.providers) = (photos, providers)
    }

    package var endpoints: [Endpoint] {
        SessionEndpoints(context: self).endpoints + UserEndpoints(context: self).endpoints
            + InvitationEndpoints(context: self).endpoints + MeEndpoints(context: self).endpoints
            + PhotoEndpoints(context: self, photos: photos).endpoints + MailEndpoints(context: self).endpoints
            + TokenEndpoints(context: self).endpoints + DeviceEndpoints(context: self).endpoints
            + [AuditEndpoint(context: self).endpoint]
    }

    /// The address of a one-time link: complete if the operator has named the site's, otherwise a path. A link is never
    /// made from the Host of a request, which a stranger can choose.
    func address(_ path: String, _ link: NewLink) -> String {
        let path = "\(path)?\(AccountPath.linkParameter)=\(link.secret.text)"
        return publicAddress?.url(path) ?? path
    }

    /// Sends a mail in the language of a request, if the server sends any.
    func send(_ mail: AccountMail, _ request: Request) {
        mailer?.send(mail, in: .preferred(request.headers[.acceptLanguage]))
    }

    /// Whether cookies of a response may be sent over HTTPS only.
    func isSecure(_ request: Request) -> Bool { publicAddress?.isSecure == true || request.head.scheme == "https" }
}

extension Response {
    /// The response with a field that lets nobody keep it.
    func adding(_ name: HTTPField.Name, _ value: String) -> Response {
        var response = self
        response.headers[name] = value
        return response
    }
}
