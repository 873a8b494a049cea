import MediaCore
import StreamConnections

/// The place where a peer wants to publish or play, and what it says about itself: the application of `connect`, and
/// the name of the stream, which encoders call the key. Both may have a query.
struct RTMPStreamAddress: Sendable, Hashable {
    /// The name of the channel; `nil` if the address is none of a channel.
    let channel: String?
    /// Name of the quality preset; `nil` for the channel's own.
    let preset: String?
    /// The credential in the key, the application or the address; `nil` if there is none.
    let credential: StreamCredential?

    /// The answer to a challenge; `nil` if there is none.
    let challenge: AdobeChallenge.Answer?

    /// - Parameters:
    ///   - application: the application, such as `live`.
    ///   - name: the name of the stream, such as `canalA.stream?user=ana&pass=…`.
    ///   - address: the address as the peer knows it, such as `rtmp://user:password@host/live`.
    init(application: String, name: String, address: String?) {
        let (path, first) = Self.split(application)
        let (key, second) = Self.split(name)
        // Encoders with one field for everything put the key behind the application.
        let components = "\(path)/\(key)".split(separator: "/").filter { $0 != "_definst_" }
        let isChannels = components.count == 2 && components[0] == "live"
        channel = isChannels ? ChannelPath.name(components[1]) : nil
        let parameters = second + first
        func value(_ names: String...) -> String? {
            names.lazy.compactMap { name in parameters.first { $0.name == name }?.value }.first { !$0.isEmpty }
        }
        preset = value("preset")
        challenge = AdobeChallenge.Answer { value($0) }
        if let token = value("token", "jwt") {
            credential = .token(token)
        } else if let user = value("user", "username"), let secret = value("pass", "password") {
            credential = .password(username: user, secret: secret)
        } else {
            credential = address.flatMap(Self.userInformation)
        }
    }

    /// Splits a query off, and reads its parameters.
    private static func split(_ text: String) -> (path: Substring, parameters: [(name: String, value: String)]) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let parameters = parts.count > 1 ? ChannelPath.parameters(parts[1]) : []
        return (parts.first ?? "", parameters)
    }

    /// The username and password in front of the host of an address.
    private static func userInformation(_ address: String) -> StreamCredential? {
        guard let start = address.firstRange(of: "://")?.upperBound else { return nil }
        let authority = address[start...].prefix { $0 != "/" && $0 != "?" }
        guard let at = authority.lastIndex(of: "@") else { return nil }
        let sides = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        let parts = sides.map { $0.removingPercentEncoding ?? String($0) }
        return .password(username: parts[0], secret: parts[1])
    }
}
