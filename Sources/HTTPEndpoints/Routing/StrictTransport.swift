import HTTPTypes
import Hummingbird
import MediaCore

/// Tells browsers to come back over HTTPS only (Strict-Transport-Security, RFC 6797).
package struct StrictTransport: Sendable, Hashable {
    /// The time for which a browser keeps to it; `nil` if browsers are not told.
    package var maximumAge: Duration?

    /// Browsers are not told.
    package static let off = StrictTransport(maximumAge: nil)
    /// The usual time, 180 days.
    package static let usual = StrictTransport(maximumAge: .seconds(180 * 86_400))

    package init(maximumAge: Duration?) { self.maximumAge = maximumAge }

    private static let name = HTTPField.Name("Strict-Transport-Security")

    /// Adds the field to the answer to a request that came over HTTPS (RFC 6797 §7.2: to no other). A developer's
    /// `localhost` is left alone, because other programs are at other ports of it.
    func add(to response: inout Response, of request: Request) {
        guard let maximumAge, let name = Self.name, request.head.scheme == "https",
            let host = request.head.authority?.split(separator: ":").first?.lowercased(), host != "localhost",
            !host.hasSuffix(".localhost")
        else { return }
        response.headers[name] = "max-age=\(Int64(maximumAge.seconds))"
    }
}
