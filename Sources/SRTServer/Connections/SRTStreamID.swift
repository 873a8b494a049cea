import StreamConnections

/// The streamid of a caller: the channel, what it wants to do there, and its login. Three forms are in use:
/// `publish:canalA:user:password`, the access control form `#!::r=canalA,m=publish,u=user,s=password` (SRT Access
/// Control Guidelines), and a name alone, which is read.
struct SRTStreamID: Sendable, Hashable {
    enum Purpose: Sendable, Hashable {
        case publishing, reading
    }

    let purpose: Purpose
    /// `nil` for a name that cannot be one of a channel.
    let channel: String?
    let credential: StreamCredential?
    /// Whether the login is a link (`link=` in place of `token=`), with whose passphrase the publisher encrypts.
    let hasOwnPassphrase: Bool
    /// Name of the quality preset; `nil` for the channel's own.
    let preset: String?

    private static let accessControlPrefix = "#!::"
    /// The most fields that are read.
    private static let maximumFieldCount = 32

    /// - Parameter text: the streamid, which a stranger has sent.
    /// - Returns: `nil` for a text of none of the forms.
    init?(_ text: String) {
        if text.hasPrefix(Self.accessControlPrefix) {
            self.init(fields: text.dropFirst(Self.accessControlPrefix.count))
        } else {
            self.init(plain: text)
        }
    }

    private init?(fields text: Substring) {
        var fields: [String: String] = [:]
        for field in text.split(separator: ",").prefix(Self.maximumFieldCount) {
            let sides = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else { return nil }
            fields[String(sides[0])] = String(sides[1])
        }
        switch fields["m"] {
        case "publish": purpose = .publishing
        case "request", nil: purpose = .reading
        default: return nil
        }
        let (path, query) = Self.split(fields["r"] ?? "")
        channel = ChannelPath.name(path)
        preset = fields["preset"] ?? Self.value(query, "preset")
        let link = fields["link"] ?? Self.value(query, "link")
        hasOwnPassphrase = link != nil
        if let token = link ?? fields["token"] ?? Self.value(query, "token", "jwt") {
            credential = .token(token)
        } else if let secret = fields["s"], !secret.isEmpty {
            credential = fields["u"].map { .password(username: $0, secret: secret) } ?? .token(secret)
        } else {
            credential = nil
        }
    }

    private init?(plain text: String) {
        let parts = text.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        let name: Substring
        switch (parts.first, parts.count) {
        case ("publish", 2...): (purpose, name) = (.publishing, parts[1])
        case ("read", 2...), ("request", 2...): (purpose, name) = (.reading, parts[1])
        case (let only?, 1) where !only.isEmpty: (purpose, name) = (.reading, only)
        default: return nil
        }
        let (path, query) = Self.split(name)
        channel = ChannelPath.name(path)
        preset = Self.value(query, "preset")
        let link = Self.value(query, "link")
        hasOwnPassphrase = link != nil
        if parts.count == 4, link == nil {
            credential = .password(username: String(parts[2]), secret: String(parts[3]))
        } else if let token = link ?? Self.value(query, "token", "jwt") {
            credential = .token(token)
        } else if let user = Self.value(query, "user"), let secret = Self.value(query, "pass") {
            credential = .password(username: user, secret: secret)
        } else {
            credential = nil
        }
    }

    private static func split(
        _ text: some StringProtocol
    ) -> (path: String, parameters: [(name: String, value: String)]) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return (parts.first.map { String($0) } ?? "", parts.count > 1 ? ChannelPath.parameters(parts[1]) : [])
    }

    private static func value(_ parameters: [(name: String, value: String)], _ names: String...) -> String? {
        names.lazy.compactMap { name in parameters.first { $0.name == name }?.value }.first { !$0.isEmpty }
    }
}
