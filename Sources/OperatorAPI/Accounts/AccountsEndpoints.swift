import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import IdentityProviders
import JSONDocument
import NIOPosix
import Notifications
import VideoClub
import Webhooks

/// The endpoints of accounts: sessions, users, the caller's own account, tokens, and the audit log.
struct AccountsEndpoints: Sendable {
    /// The accounts; `nil` for a server without any.
    let accounts: Accounts?
    /// The address at which visitors reach the site; `nil` if the operator has not named it.
    let publicAddress: PublicAddress?
    /// Sends mail; `nil` if the server cannot.
    let mailer: (any AccountMailer)?
    let photos: PhotoUpload
    /// The services with which people log in; `nil` for a server without any.
    let providers: ProviderDirectory?
    /// The receivers of events; `nil` for a server without any.
    let webhooks: Webhooks?
    /// The video club, for the export of a member's data; `nil` for a server without one.
    let club: VideoClub?
    /// The community, for the export of a member's data; `nil` for a server without one.
    let community: Community?
    /// What members are told, for the export of a member's data; `nil` for a server that tells them nothing.
    let notifications: Notifications?
    /// Opens the videos that members have sent, for the export of a member's data.
    let library: any LibraryOperations
    /// Reads them.
    let threadPool: NIOThreadPool

    var endpoints: [Endpoint] {
        SessionEndpoints(context: self).endpoints + UserEndpoints(context: self).endpoints
            + InvitationEndpoints(context: self).endpoints + MeEndpoints(context: self).endpoints
            + PhotoEndpoints(context: self, photos: photos).endpoints + MailEndpoints(context: self).endpoints
            + TokenEndpoints(context: self).endpoints + DeviceEndpoints(context: self).endpoints
            + [AuditEndpoint(context: self).endpoint]
    }

    /// - Throws: ``ProblemDetails`` with 404 if the server has no accounts.
    func required() throws -> Accounts {
        guard let accounts else { throw ProblemDetails(.notFound, "this server has no accounts") }
        return accounts
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
