import Foundation

/// The address at which visitors reach the site, such as `https://tv.example.org`. Links in mails are made from it,
/// never from the Host of a request, which a stranger can choose.
package struct PublicAddress: Sendable, Hashable {
    /// Scheme, host, and the port if it is not the scheme's own; without a slash at the end.
    package let origin: String
    /// The host without port.
    package let host: String
    package let isSecure: Bool

    /// - Returns: `nil` if the text is not an http or https URL without path, query and user.
    package init?(parsing text: String) {
        guard let components = URLComponents(string: text), let scheme = components.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = components.host?.lowercased(), !host.isEmpty,
            components.user == nil, components.password == nil, components.query == nil, components.fragment == nil,
            components.path.isEmpty || components.path == "/"
        else { return nil }
        isSecure = scheme == "https"
        self.host = host
        let port = components.port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : $0 }
        origin = "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "")
    }

    /// The URL of a path of the site.
    package func url(_ path: String) -> String { origin + path }
}
