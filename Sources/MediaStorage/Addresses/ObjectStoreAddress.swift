import Foundation
import MediaCore

/// A bucket of an S3-compatible object store, and a prefix in it.
package struct ObjectStoreAddress: Sendable, Hashable, CustomStringConvertible {
    /// The way in which a request names the bucket.
    package enum Style: String, Sendable, CaseIterable {
        /// `https://host/bucket/key`
        case path
        /// `https://bucket.host/key`
        case virtual
    }

    /// `http` or `https`.
    package let scheme: String
    /// The endpoint's host, and its port unless it is the scheme's own, as in a Host header.
    package let authority: String
    /// The path of the endpoint: empty, or beginning with a slash and not ending with one.
    package let basePath: String
    package let bucket: String
    /// Precedes all keys: empty, or ending with a slash.
    package let prefix: String
    package let region: String
    package let style: Style

    /// Parses `s3://bucket/prefix?endpoint=https://host:port&region=…&style=path|virtual`.
    ///
    /// Without an endpoint the address is that of AWS in the region, which then comes from AWS_REGION or
    /// AWS_DEFAULT_REGION, or is us-east-1. With an endpoint, the region is `auto` unless it is given. The style is
    /// `path` with an endpoint; with AWS it is `virtual`, unless the bucket's name has a dot, which AWS's certificates
    /// do not cover.
    ///
    /// - Parameters:
    ///   - text: The address. It holds no credentials, so that it can be shown and logged.
    ///   - environment: The environment variables.
    /// - Throws: ``MediaStorageError`` with `invalidAddress`.
    package init(parsing text: String, environment: [String: String]) throws {
        let scheme = "s3://"
        guard text.hasPrefix(scheme) else { throw Self.error("must begin with s3://") }
        let parts = text.dropFirst(scheme.count).split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let place = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        // Whatever precedes an @ may be a secret, and is not repeated.
        guard !parts[0].contains("@") else {
            throw Self.error(
                "must not contain credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them to a file"
            )
        }
        bucket = try Self.checkedBucket(place[0])
        prefix = try Self.checkedPrefix(place.count > 1 ? place[1] : "")
        let parameters = try Self.parameters(parts.count > 1 ? parts[1] : "")

        let givenRegion = try parameters["region"].map(Self.checkedRegion)
        if let endpoint = parameters["endpoint"] {
            (self.scheme, authority, basePath) = try Self.parsedEndpoint(endpoint)
            region = givenRegion ?? Self.automaticRegion
        } else {
            let region =
                try givenRegion
                ?? ["AWS_REGION", "AWS_DEFAULT_REGION"].lazy.compactMap({ environment[$0] }).first { !$0.isEmpty }
                .map(Self.checkedRegion) ?? Self.defaultRegion
            guard region != Self.automaticRegion else {
                throw Self.error("needs `endpoint` with the region `auto`, which AWS does not have")
            }
            self.region = region
            let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
            (self.scheme, authority, basePath) = ("https", "s3.\(region).\(domain)", "")
        }
        if let given = parameters["style"] {
            guard let style = Style(rawValue: given) else {
                throw Self.error("has a `style` that is neither `path` nor `virtual`")
            }
            self.style = style
        } else {
            style = parameters["endpoint"] != nil || bucket.contains(".") ? .path : .virtual
        }
        guard style == .path || basePath.isEmpty else {
            throw Self.error("has an endpoint with a path, which needs `style=path`")
        }
    }

    private static let automaticRegion = "auto"
    private static let defaultRegion = "us-east-1"
    private static let parameterNames = ["endpoint", "region", "style"]

    /// The address with its settings.
    package var description: String {
        "s3://\(bucket)/\(prefix)?endpoint=\(scheme)://\(authority)\(basePath)&region=\(region)&style=\(style.rawValue)"
    }

    // MARK: The parts of a request

    /// The Host header of requests.
    var host: String { style == .virtual ? "\(bucket).\(authority)" : authority }

    /// The path of the bucket, percent-encoded; it does not end with a slash, and is empty for virtual-host addresses.
    var bucketPath: String { style == .virtual ? "" : "\(basePath)/\(URIEncoding.encoded(bucket))" }

    // MARK: Parsing

    private static func error(_ reason: String) -> MediaStorageError {
        MediaStorageError(.invalidAddress, "the address of the object store \(reason)")
    }

    /// S3's rules for bucket names, but also upper case and `_`, which old buckets and other stores have.
    private static func checkedBucket(_ text: Substring) throws -> String {
        guard (3...63).contains(text.utf8.count),
            text.utf8.allSatisfy({ isLetterOrDigit($0) || [0x2D, 0x2E, 0x5F].contains($0) }),
            let first = text.utf8.first, isLetterOrDigit(first), !text.contains("..")
        else {
            throw error("needs the name of a bucket after s3://: 3 to 63 letters, digits, hyphens and dots")
        }
        return String(text)
    }

    private static let maximumPrefixByteCount = 1_024 - MediaKey.maximumByteCount

    private static func checkedPrefix(_ text: Substring) throws -> String {
        guard let decoded = text.removingPercentEncoding else { throw error("has a malformed percent escape") }
        let path = decoded.hasSuffix("/") ? String(decoded.dropLast()) : decoded
        guard !path.isEmpty else { return "" }
        if let problem = MediaKey.problem(with: path) { throw error("has a prefix that \(problem)") }
        guard path.utf8.count < maximumPrefixByteCount else {
            throw error("has a prefix of more than \(maximumPrefixByteCount - 1) bytes")
        }
        return path + "/"
    }

    private static func parameters(_ text: Substring) throws -> [String: String] {
        var parameters: [String: String] = [:]
        for setting in text.split(separator: "&") {
            let pair = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = UntrustedText.escaped(String(pair[0]), maximumCharacterCount: 40)
            guard parameterNames.contains(name) else {
                let suggestion = NearestName.suggestion(for: name, among: parameterNames)
                throw error("has an unknown parameter `\(name)`\(suggestion.map { "; did you mean `\($0)`?" } ?? "")")
            }
            guard pair.count == 2, let value = pair[1].removingPercentEncoding, !value.isEmpty else {
                throw error("has no value for `\(name)`")
            }
            guard parameters.updateValue(value, forKey: name) == nil else { throw error("has `\(name)` twice") }
        }
        return parameters
    }

    private static func checkedRegion(_ text: String) throws -> String {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ isLetterOrDigit($0) || $0 == 0x2D }) else {
            throw error("has a `region` that is not made of letters, digits and hyphens")
        }
        return text
    }

    private static func parsedEndpoint(_ text: String) throws -> (scheme: String, authority: String, path: String) {
        guard let components = URLComponents(string: text), let scheme = components.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = components.percentEncodedHost, !host.isEmpty,
            components.port.map({ (1...65_535).contains($0) }) ?? true
        else { throw error("needs an `endpoint` such as https://s3.example.org or http://127.0.0.1:9000") }
        guard components.user == nil, components.password == nil else {
            throw error("has an `endpoint` with credentials, which do not belong there")
        }
        guard components.query == nil, components.fragment == nil else {
            throw error("has an `endpoint` with `?` or `#`; percent-encode what follows, or separate parameters by `&`")
        }
        let defaultPort = scheme == "https" ? 443 : 80
        let port = components.port.flatMap { $0 == defaultPort ? nil : ":\($0)" } ?? ""
        var path = components.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        return (scheme, host.lowercased() + port, path)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
