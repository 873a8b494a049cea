/// Detects the protocol of a connection from its first bytes, as Wowza does on port 1935.
///
/// It is a pure function of the bytes and decides as early as possible.
struct ProtocolDetector {
    enum Verdict: Sendable, Hashable {
        case undecided
        case speaks(SpokenProtocol)
        /// None of the protocols, for example the first record of a TLS connection.
        case unknown
    }

    /// Number of bytes after which the decision is forced. `OPTIONS * RTSP/1.0` is the longest text needed to decide;
    /// some clients put more spaces in between.
    static let maximumByteCount = 64

    private static let rtmpVersion: UInt8 = 3

    /// The methods of RFC 2326 §10 except OPTIONS, which HTTP has as well.
    private static let rtspMethods: Set<String> = [
        "ANNOUNCE", "DESCRIBE", "GET_PARAMETER", "PAUSE", "PLAY", "RECORD", "REDIRECT", "SETUP", "SET_PARAMETER",
        "TEARDOWN",
    ]

    /// Decides on the protocol.
    ///
    /// - Parameter bytes: all bytes received so far.
    static func detect(_ bytes: some BidirectionalCollection<UInt8>) -> Verdict {
        // The version of RTMP's handshake, which no text begins with.
        if bytes.first == rtmpVersion { return .speaks(.rtmp) }
        // Both text protocols tolerate empty lines before a request (RFC 9112 §2.2).
        let text = bytes.prefix(maximumByteCount).drop { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
        guard let first = text.first else { return bytes.count >= maximumByteCount ? .unknown : .undecided }
        // An interleaved frame starts with "$" (RFC 2326 §10.12).
        if first == UInt8(ascii: "$") { return .speaks(.rtsp) }
        guard isLetter(first) else { return .unknown }
        let words = text.split(maxSplits: 2, omittingEmptySubsequences: true) { $0 == UInt8(ascii: " ") }
        let method = words[0]
        guard method.allSatisfy({ isLetter($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }) else {
            return .unknown
        }
        let isMethodComplete = words.count > 1 || text.last == UInt8(ascii: " ")
        guard isMethodComplete else { return bytes.count >= maximumByteCount ? .unknown : .undecided }
        let name = String(decoding: method, as: UTF8.self)
        guard name == "OPTIONS" else { return .speaks(rtspMethods.contains(name) ? .rtsp : .http) }
        return verdict(onOptions: words, isCutOff: bytes.count >= maximumByteCount)
    }

    /// Decides on an OPTIONS request: by the target if it is a URL or a path, by the version after it if the target is
    /// `*`.
    private static func verdict(onOptions words: [some Collection<UInt8>], isCutOff: Bool) -> Verdict {
        let rest = isCutOff ? Verdict.speaks(.http) : .undecided
        guard words.count > 1, let first = words[1].first else { return rest }
        switch first {
        case UInt8(ascii: "*"):
            guard words.count > 2, let version = words[2].first(where: { $0 != UInt8(ascii: " ") }) else { return rest }
            return .speaks(version == UInt8(ascii: "R") ? .rtsp : .http)
        case UInt8(ascii: "r"), UInt8(ascii: "R"): return .speaks(.rtsp)
        default: return .speaks(.http)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
}
