import Accounts
import Foundation
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import Workflows

/// The page at `/test-player`: a player with its statistics for any playlist of this server, and what its script finds
/// in the playlists.
struct TestPlayerPage: Sendable {
    static let path = "/test-player"
    private static let addressParameter = "url"

    var endpoint: Endpoint {
        Endpoint(.get, Self.path, .needs(.read, .site)) { request, context in
            let page = SitePage(.tester, request, context)
            var values: [String: Any] = ["p": page.playerText.words]
            if let wanted = PageRequest.value(of: Self.addressParameter, in: request) {
                values["url"] = wanted
                if let address = Self.address(wanted, origin: page.origin) {
                    values["address"] = address
                } else {
                    values["isElsewhere"] = true
                }
            }
            return try page.response(values, title: page.playerText.words["testPlayer"])
        }
    }

    /// The path of an address on this server, with its query; `nil` for an address elsewhere.
    private static func address(_ text: String, origin: String) -> String? {
        guard let base = URL(string: origin), let url = URL(string: text, relativeTo: base)?.absoluteURL,
            url.scheme == "http" || url.scheme == "https", url.host?.lowercased() == base.host?.lowercased(),
            let components = URLComponents(url: url, resolvingAgainstBaseURL: true),
            components.percentEncodedPath.hasPrefix("/")
        else { return nil }
        return components.percentEncodedPath + (components.percentEncodedQuery.map { "?\($0)" } ?? "")
    }
}
