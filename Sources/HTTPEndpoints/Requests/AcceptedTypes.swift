import HTTPTypes
package import Hummingbird

/// Distinguishes browsers from programs by the Accept header (RFC 9110 §12.5.1).
package enum AcceptedTypes {
    /// Limit of the examined header; browsers send about 150 bytes with eight types.
    private static let maximumByteCount = 1_000

    /// Returns whether HTML is accepted explicitly and with no lower quality than JSON. A program that accepts any type
    /// gets JSON.
    package static func preferHTML(_ request: Request) -> Bool { preferHTML(request.headers[.accept]) }

    /// The same for the value of an Accept header; `nil` if there is none.
    package static func preferHTML(_ accept: String?) -> Bool {
        var (html, json) = (0.0, 0.0)
        for entry in (accept ?? "").prefix(maximumByteCount).split(separator: ",") {
            let parts = entry.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            switch parts.first {
            case "text/html", "application/xhtml+xml": html = max(html, quality)
            case "application/json", "application/problem+json": json = max(json, quality)
            default: break
            }
        }
        return html > 0 && html >= json
    }
}
