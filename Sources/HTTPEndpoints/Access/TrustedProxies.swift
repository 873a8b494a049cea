package import HTTPTypes
import NIOCore

/// The reverse proxies whose word about the client's address is believed. A client can send the same header fields, so
/// nobody else's is.
package struct TrustedProxies: Sendable, Hashable {
    private let ranges: [AddressRange]

    /// The header field in which the proxies name the client. Only one is looked at, because a proxy passes on the
    /// other as the client has sent it.
    package enum Field: String, Sendable, Hashable, CaseIterable {
        case xForwardedFor = "x-forwarded-for"
        /// RFC 7239.
        case forwarded
    }

    private let field: Field

    /// No proxy.
    package static let none = TrustedProxies([])
    /// Limit of the addresses in the field; a chain of proxies is short.
    private static let maximumHopCount = 32

    package init(_ ranges: [AddressRange], field: Field = .xForwardedFor) {
        (self.ranges, self.field) = (ranges, field)
    }

    /// Whether proxies name the client in a header field.
    static func isAboutClient(_ name: HTTPField.Name) -> Bool { Field(rawValue: name.canonicalName) != nil }

    package var isEmpty: Bool { ranges.isEmpty }

    package func contains(_ address: String) -> Bool { ranges.contains { $0.contains(address) } }

    /// The client's address.
    ///
    /// - Parameters:
    ///   - fields: the header of the request.
    ///   - peer: the address of the connection, without port.
    /// - Returns: the last address in the field that is not one of the proxies; the peer's if it is none of them, or
    ///   the field is missing or damaged.
    package func client(_ fields: HTTPFields, peer: String) -> String {
        guard !ranges.isEmpty, contains(peer) else { return peer }
        var last = peer
        for hop in hops(fields).suffix(Self.maximumHopCount).reversed() {
            guard let address = hop else { return last }
            last = address
            if !contains(address) { return address }
        }
        return last
    }

    /// Whether the client speaks HTTPS with the proxies: the last word in `X-Forwarded-Proto`, or what `Forwarded` says
    /// in the element that names the client.
    ///
    /// - Parameters:
    ///   - fields: the header of the request.
    ///   - peer: the address of the connection, without port.
    /// - Returns: false if the peer is none of the proxies.
    package func isSecure(_ fields: HTTPFields, peer: String) -> Bool {
        guard !ranges.isEmpty, contains(peer) else { return false }
        switch field {
        case .xForwardedFor: return Self.xForwardedProto(fields).last == "https"
        case .forwarded:
            var isSecure = false
            for element in Self.elements(fields).suffix(Self.maximumHopCount).reversed() {
                isSecure = Self.parameter("proto", of: element)?.lowercased() == "https"
                guard let hop = Self.parameter("for", of: element).flatMap({ Self.address($0[...]) }), contains(hop)
                else { break }
            }
            return isSecure
        }
    }

    /// Whether somebody, trusted or not, says that the client speaks HTTPS.
    package static func claimsHTTPS(_ fields: HTTPFields) -> Bool {
        xForwardedProto(fields).contains("https")
            || elements(fields).contains { parameter("proto", of: $0)?.lowercased() == "https" }
    }

    private static func xForwardedProto(_ fields: HTTPFields) -> [String] {
        guard let name = HTTPField.Name("X-Forwarded-Proto") else { return [] }
        return fields[values: name].flatMap { $0.split(separator: ",") }.map { String($0.trimmed).lowercased() }
    }

    /// The elements of `Forwarded` (RFC 7239 §4).
    private static func elements(_ fields: HTTPFields) -> [Substring] {
        guard let name = HTTPField.Name("Forwarded") else { return [] }
        return fields[values: name].flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
    }

    /// A parameter of such an element without quotation marks; `nil` if it is missing.
    private static func parameter(_ name: String, of element: Substring) -> String? {
        let parameter = element.split(separator: ";").map(\.trimmed).first { $0.lowercased().hasPrefix("\(name)=") }
        return parameter.map { $0.dropFirst(name.count + 1).filter { $0 != "\"" } }
    }

    /// The addresses in the field from the client to the last proxy; `nil` for one that is hidden or damaged.
    private func hops(_ fields: HTTPFields) -> [String?] {
        switch field {
        case .xForwardedFor:
            guard let name = HTTPField.Name("X-Forwarded-For") else { return [] }
            return fields[values: name].flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
                .map { Self.address($0.trimmed) }
        case .forwarded:
            return Self.elements(fields).map { Self.parameter("for", of: $0).flatMap { Self.address($0[...]) } }
        }
    }

    /// An address with or without port, and IPv6 with or without brackets.
    private static func address(_ text: Substring) -> String? {
        var candidate = text
        if candidate.hasPrefix("["), let end = candidate.firstIndex(of: "]") {
            candidate = candidate[candidate.index(after: candidate.startIndex)..<end]
        } else if candidate.count(where: { $0 == ":" }) == 1 {
            candidate = candidate.prefix { $0 != ":" }
        }
        let address = String(candidate)
        return AddressRange.bytes(of: address) == nil ? nil : address
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = trimmingPrefix { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
