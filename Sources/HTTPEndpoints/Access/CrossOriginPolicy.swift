import Foundation

/// The pages of other origins whose scripts may use the API (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol).
///
/// They may send a token in a header, and never the visitor's cookie: a page that the operator has named gets no more
/// than what its own credential allows.
package struct CrossOriginPolicy: Sendable, Hashable {
    /// The origins, in lower case; `nil` for all.
    package let origins: Set<String>?

    /// No page of another origin.
    package static let none = CrossOriginPolicy(origins: [])

    private init(origins: Set<String>?) { self.origins = origins }

    /// Limit of the origins.
    private static let maximumCount = 64

    /// Parses a list such as `https://tv.example.org,http://localhost:3000`, or `*` for all; `nil` for anything else.
    package init?(parsing text: String) {
        if text == "*" {
            origins = nil
            return
        }
        let parts = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        let parsed = parts.compactMap { PublicAddress(parsing: $0)?.origin.lowercased() }
        guard parsed.count == parts.count, (1...Self.maximumCount).contains(parsed.count) else { return nil }
        origins = Set(parsed)
    }

    /// Whether nothing is allowed.
    var isEmpty: Bool { origins?.isEmpty ?? false }

    /// Whether scripts of an origin may use the API.
    ///
    /// - Parameter origin: the value of the field `Origin`.
    func includes(_ origin: String) -> Bool { origins?.contains(origin.lowercased()) ?? (origin != "null") }
}
