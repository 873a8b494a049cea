import MediaCore
import HTTPTypes

/// The pages of other origins whose scripts may fetch media (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol).
///
/// Web players fetch everything by script, so that a page elsewhere can play only what this policy allows, and a player
/// that sends a header field of its own (a token, CMCD) asks before (a preflight request). Cookies of this server never
/// count for such a page.
///
/// ``MediaDeliveryHandler`` applies it to whatever is answered under `covers(_:)`, by itself or by the router, so no
/// kind of answer has a part in it.
package struct MediaCrossOriginPolicy: Sendable, Hashable {
    /// The origins, in lower case; `nil` for all.
    private let origins: Set<String>?
    /// The fields of all responses; `nil` if they depend on the request's origin.
    let common: HTTPFields?

    /// Pages of every origin.
    package static let everyone = MediaCrossOriginPolicy(origins: nil)
    /// No page of another origin.
    package static let none = MediaCrossOriginPolicy(origins: [])

    /// - Parameter origins: the origins, in lower case; `nil` for all.
    package init(origins: Set<String>?) {
        self.origins = origins
        switch origins?.count {
        case nil: common = Self.fields(allowing: "*")
        case 0: common = HTTPFields()
        // The same for every request, so that caches need not keep a copy for each origin.
        case 1: common = origins?.first.map { Self.fields(allowing: $0) }
        default: common = nil
        }
    }

    // MARK: Responses

    /// The first components of the paths of media, images and other files of titles, tracks and channels.
    private static let folders = ["/live/", "/vod/", "/radio/", "/\(MediaPath.signedFolderName)/"]
    /// The response fields that scripts may read besides those that they may always read: a player needs the size of a
    /// range, the server's clock, and the time after which to try again.
    private static let exposedFields = "Accept-Ranges, Age, Content-Range, Date, ETag, Retry-After, WWW-Authenticate"

    /// Returns whether a path leads to media, if to anything.
    ///
    /// - Parameter target: an origin-form request target (RFC 9112 §3.2.1).
    static func covers(_ target: String) -> Bool {
        // Some clients begin with two slashes; see ``MediaRequest``.
        let path = target.hasPrefix("//") ? "/" + target.drop { $0 == "/" } : target
        return folders.contains { path.hasPrefix($0) }
    }

    /// The fields to add to the response to a request.
    func fields(for request: HTTPRequest) -> HTTPFields {
        if let common { return common }
        // A cache must not give one origin the response of another.
        var fields: HTTPFields = [.vary: "Origin"]
        if let origin = request.headerFields.first(.origin), includes(origin) {
            fields.append(contentsOf: Self.fields(allowing: origin))
        }
        return fields
    }

    /// The fields to add to the router's response to a request; `nil` if that is not for media.
    func routerFields(for request: HTTPRequest) -> HTTPFields? {
        guard let target = request.path, Self.covers(target) else { return nil }
        let fields = fields(for: request)
        return fields.isEmpty ? nil : fields
    }

    private func includes(_ origin: String) -> Bool { origins?.contains(origin.lowercased()) ?? true }

    private static func fields(allowing origin: String) -> HTTPFields {
        [.accessControlAllowOrigin: origin, .accessControlExposeHeaders: exposedFields]
    }

    // MARK: Preflight requests

    private static let methods = "GET, HEAD"
    /// The methods for the license of a title.
    private static let licenseMethods = "POST"
    /// Request fields that players send, for a request that does not say which it means in a usable way.
    private static let usualFields = "Authorization, Range, CMCD-Object, CMCD-Request, CMCD-Session, CMCD-Status"
    /// Time in seconds for which browsers keep the response to a preflight; Chromium keeps it for two hours at most.
    private static let maximumAge = "7200"
    /// Limit on the field names that a preflight request may list.
    private static let maximumFieldListByteCount = 1_024

    /// The response to a preflight request for media; `nil` for another request, and for an origin that is not
    /// allowed. It says nothing about whether there is anything at the path.
    func preflight(_ request: HTTPRequest) -> MediaResponse? {
        guard request.method == .options, let target = request.path, Self.covers(target),
            request.headerFields[.accessControlRequestMethod] != nil,
            let origin = request.headerFields[.origin], includes(origin)
        else { return nil }
        // The names themselves, because "*" includes neither Authorization nor anything in older browsers.
        let requested = request.headerFields[.accessControlRequestHeaders].flatMap { Self.isFieldList($0) ? $0 : nil }
        return MediaResponse(
            head: HTTPResponse(
                status: .noContent,
                headerFields: [
                    .accessControlAllowMethods: LicenseRequest.media(at: target) == nil
                        ? Self.methods : Self.licenseMethods,
                    .accessControlAllowHeaders: requested ?? Self.usualFields,
                    .accessControlMaxAge: Self.maximumAge, .vary: "Access-Control-Request-Headers",
                ]),
            body: [])
    }

    /// Whether a text is a list of field names.
    private static func isFieldList(_ text: String) -> Bool {
        guard text.utf8.count <= maximumFieldListByteCount else { return false }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map { name in
            name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        }
        return names.allSatisfy { HTTPField.Name(String($0)) != nil }
    }
}
