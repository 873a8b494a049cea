import Crypto
import HLSPlaylist
import MediaCore
import NIOCore

/// The encryption of a title's resources, and the players' access to its key.
package struct TitleEncryption: Sendable, Equatable {
    let key: TitleKey
    /// Identifies the key without revealing it; part of the revision in segments' URLs.
    package var keyID: String { key.id }
    private let secret: SymmetricKey
    private let token: TitleKeyToken

    /// The last path component of the key's URL, below the title's path.
    static let keyName = "key"
    static let tokenParameter = "token"

    /// - Parameter now: the current time.
    init(key: TitleKey, secret: SymmetricKey, now: WallClockTime) {
        self.key = key
        self.secret = secret
        token = .current(at: now)
    }

    /// The EXT-X-KEY attributes for the resources of a folder.
    func segmentEncryption(of folder: String) -> SegmentEncryption {
        SegmentEncryption(
            keyURI: "\(Self.keyName)?\(Self.tokenParameter)=\(token.text(for: key, secret: secret))",
            initializationVector: key.vector(of: folder).hexadecimalDigits)
    }

    /// Returns whether a token permits fetching this title's key.
    ///
    /// - Parameter now: the current time.
    func isValid(token: some StringProtocol, now: WallClockTime) -> Bool {
        TitleKeyToken.isValid(token, for: key, secret: secret, now: now)
    }
}
