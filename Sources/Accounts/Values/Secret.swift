import MediaCore

/// A random credential. Its text is shown once to its owner; the database holds its ``SecretDigest`` only.
///
/// Interpolated and dumped values show the kind instead of the text, because they end up in logs.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The purposes of credentials. A credential of one kind is never accepted as one of another kind.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case session = "ses"
        case apiToken = "api"
        /// A one-time link; see ``LinkPurpose``.
        case link = "lnk"
        /// A link with which one publisher pushes to one channel.
        case publishLink = "pub"
        /// A log-in that waits for the second factor.
        case challenge = "chl"
        /// The device code of RFC 8628, which the device keeps.
        case device = "dev"
        /// The credential of a device that keeps offline copies of rented titles.
        case offlineDevice = "off"
        /// A password for a program, typed by hand.
        case appPassword = "app"
        /// A code that replaces the second factor once, typed by hand.
        case recoveryCode = "rec"
    }

    package let kind: Kind
    /// The credential, as its owner sees it.
    package let text: String

    /// Every kind that is not typed by hand has 256 bits.
    private static let byteCount = 32
    private static let byteCharacterCount = 43
    /// 5 bits each: 100 bits for an app password, 80 for a recovery code. Nobody can guess them, even with the digests.
    private static let typedCharacterCounts: [Kind: Int] = [.appPassword: 20, .recoveryCode: 16]
    private static let typedGroupCharacterCount = 4
    /// Length limit of a typed credential with all separators that a person may add.
    private static let maximumTypedByteCount = 100

    /// Creates a random credential.
    package init(_ kind: Kind) {
        self.kind = kind
        text =
            Self.typedCharacterCounts[kind].map { Self.grouped(RandomText.letters($0)) }
            ?? Self.prefix(kind) + Base64URL.text(RandomText.bytes(Self.byteCount))
    }

    /// Parses a credential from a client; `nil` if it cannot be one of this kind. Typed credentials are accepted with
    /// other separators and in upper case.
    package init?(_ kind: Kind, parsing text: String) {
        self.kind = kind
        if let count = Self.typedCharacterCounts[kind] {
            guard text.utf8.count <= Self.maximumTypedByteCount else { return nil }
            let letters = text.lowercased().filter { $0 != "-" && $0 != " " }
            guard letters.utf8.count == count, letters.utf8.allSatisfy(RandomText.alphabet.contains) else { return nil }
            self.text = Self.grouped(letters)
        } else {
            let prefix = Self.prefix(kind)
            guard text.utf8.count == prefix.utf8.count + Self.byteCharacterCount, text.hasPrefix(prefix),
                text.utf8.dropFirst(prefix.utf8.count).allSatisfy(Self.isBase64URL)
            else { return nil }
            self.text = text
        }
    }

    /// The text that the database holds instead of the credential.
    package var digest: SecretDigest { SecretDigest(of: text) }

    package var description: String { "secret (\(kind))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["kind": kind]) }

    /// The prefix lets scanners find a credential that was published by mistake.
    private static func prefix(_ kind: Kind) -> String { "antena_\(kind.rawValue)_" }

    private static func grouped(_ letters: String) -> String {
        stride(from: 0, to: letters.count, by: typedGroupCharacterCount).map { start in
            String(letters.dropFirst(start).prefix(typedGroupCharacterCount))
        }.joined(separator: "-")
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
