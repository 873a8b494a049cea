/// The path of an address of media, taken apart: the only reading of it that there is.
///
/// Percent-encoding is decoded once, and everything is decided, signed and kept by what it stands for. A path that
/// somebody on the way could read in another way has no reading: one with an encoded slash, a backslash, a control
/// character, a dot segment, or bytes that are not UTF-8.
package struct MediaPath: Sendable, Hashable {
    /// The decoded components, without empty ones.
    package private(set) var components: [Substring]
    /// The component after the first, if that is `signed`; neither is one of ``components``.
    package private(set) var signature: Substring?
    /// Whether two slashes follow each other, or one ends the path.
    package let hasEmptyComponent: Bool

    /// The first component of paths that have a signature as the second.
    package static let signedFolderName = "signed"
    private static let signedPrefix = Array("/\(signedFolderName)/".utf8)

    /// Takes a path apart.
    ///
    /// - Parameter path: an absolute path without a query, as it was requested.
    /// - Returns: `nil` for a path without a reading, and for one that does not begin with a slash.
    package init?(_ path: Substring) {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        var rest = path
        if path.utf8.starts(with: Self.signedPrefix) {
            // Signatures have characters that almost no other path has.
            let text = path.utf8.dropFirst(Self.signedPrefix.count)
            guard let slash = text.firstIndex(of: UInt8(ascii: "/")) else { return nil }
            signature = Substring(text[..<slash])
            rest = Substring(text[slash...])
        }
        let scan = Scan(rest.utf8)
        if scan.isPlain, signature.map({ !$0.utf8.contains(UInt8(ascii: "%")) }) ?? true {
            components = rest.pathComponents
            hasEmptyComponent = scan.hasEmptyComponent
            guard !scan.hasDotAtStart || components.allSatisfy({ !Self.isDotSegment($0) }) else { return nil }
        } else {
            hasEmptyComponent = Scan(path.utf8).hasEmptyComponent
            components = []
            signature = nil
            for encoded in path.pathComponents {
                guard !encoded.utf8.contains(UInt8(ascii: "#")), let decoded = encoded.removingPercentEncoding?[...],
                    Self.isComponent(decoded)
                else { return nil }
                components.append(decoded)
            }
            if components.first.map({ $0 == Self.signedFolderName }) == true {
                guard components.count >= 2 else { return nil }
                signature = components[1]
                components.removeFirst(2)
            }
        }
    }

    /// Whether a decoded text can be a component of a path that everybody reads in the same way.
    package static func isComponent(_ text: Substring) -> Bool {
        guard !text.utf8.isEmpty, !isDotSegment(text) else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "/", "\\": false
            // What stands for bytes that were not UTF-8.
            case "\u{FFFD}": false
            // Control characters of ASCII and Latin-1.
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": false
            default: true
            }
        }
    }

    /// RFC 3986 §3.3.
    private static func isDotSegment(_ text: Substring) -> Bool {
        text.utf8.elementsEqual(".".utf8) || text.utf8.elementsEqual("..".utf8)
    }

    /// The result of one look at each byte; almost all paths are plain, and need not be decoded.
    private struct Scan {
        /// Whether there are only unreserved characters, colons and slashes.
        var isPlain = true
        var hasEmptyComponent = false
        var hasDotAtStart = false

        init(_ path: Substring.UTF8View) {
            var isAtStart = false
            for byte in path {
                if byte == UInt8(ascii: "/") {
                    if isAtStart { hasEmptyComponent = true }
                    isAtStart = true
                    continue
                }
                if isAtStart, byte == UInt8(ascii: ".") { hasDotAtStart = true }
                isAtStart = false
                if !URIEncoding.isUnreserved(byte), byte != UInt8(ascii: ":") { isPlain = false }
            }
            if isAtStart { hasEmptyComponent = true }
        }
    }
}
