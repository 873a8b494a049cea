import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Tells changes that a visitor wants from those that another site makes the visitor's browser send.
///
/// A credential in a header comes from a program. Everything else, a log-in included, must come from this site, and a
/// change by cookie must carry the token of its session (`CSRFToken`).
struct SameOriginCheck: Sendable {
    /// The address at which visitors reach the site, if the operator has named it.
    let publicAddress: PublicAddress?

    private static let tokenField = HTTPField.Name("X-CSRF-Token")
    private static let fetchSiteField = HTTPField.Name("Sec-Fetch-Site")
    /// The name of the field in forms.
    static let formField = "csrf"

    /// Checks a request that changes something.
    ///
    /// - Returns: the request, whose body may have been read into memory.
    /// - Throws: ``ProblemDetails`` with 403.
    func check(_ request: Request, _ identity: RequestIdentity) async throws -> Request {
        guard !identity.isFromHeader else { return request }
        guard isFromThisSite(request.headers, authority: request.head.authority) else {
            throw ProblemDetails(.forbidden, "this change was sent by another site; open the page of this site again")
        }
        guard let session = identity.session else { return request }
        var request = request
        guard let token = try await token(of: &request), CSRFToken.isValid(token, for: session) else {
            throw ProblemDetails(
                .forbidden, "the form is no longer valid, because you have logged in again; reload the page")
        }
        return request
    }

    private func token(of request: inout Request) async throws -> String? {
        if let name = Self.tokenField, let token = request.headers[name] { return token }
        switch FormFields.type(of: request) {
        case "application/x-www-form-urlencoded":
            do {
                let body = try await request.body.collect(upTo: FormFields.maximumByteCount)
                request.body = RequestBody(buffer: body)
                return FormFields(parsing: body)[Self.formField]
            } catch is NIOTooManyBytesError {
                throw ProblemDetails(.contentTooLarge, "a form is limited to \(FormFields.maximumByteCount) bytes")
            }
        // A file may be large, so the token is in front of it.
        case "multipart/form-data": return request.uri.queryParameters[Substring(Self.formField)].map(String.init)
        default: return nil
        }
    }

    private func isFromThisSite(_ fields: HTTPFields, authority: String?) -> Bool {
        if let name = Self.fetchSiteField, let site = fields[name] {
            // A browser that knows the field cannot be made to lie about it.
            return site == "same-origin" || site == "none"
        }
        guard let origin = fields[.origin] else { return true }
        if let publicAddress, origin == publicAddress.origin { return true }
        guard let authority, let start = origin.range(of: "://")?.upperBound else { return false }
        return origin[start...].lowercased() == authority.lowercased()
    }
}
