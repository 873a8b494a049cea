import HTTPTypes
import Hummingbird

/// Tells people from programs by what they accept (RFC 9110 §12.5.1).
enum AcceptedTypes {
    /// A browser sends 150 bytes and eight types.
    private static let maximumByteCount = 1_000

    /// Whether HTML is asked for by name, and not less than JSON. A program that takes anything gets JSON.
    static func preferHTML(_ request: Request) -> Bool { preferHTML(request.headers[.accept]) }

    static func preferHTML(_ accept: String?) -> Bool {
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
