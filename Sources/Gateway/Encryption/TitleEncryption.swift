import Crypto
import HLSPlaylist
import NIOCore

/// How a title's resources are encrypted, and how players get at the key.
package struct TitleEncryption: Sendable, Equatable {
    let key: TitleKey
    private let secret: SymmetricKey
    private let token: TitleKeyToken

    /// Behind the title's own path.
    static let keyName = "key"
    static let tokenParameter = "token"

    /// - Parameter now: seconds since 1970.
    init(key: TitleKey, secret: SymmetricKey, now: Int64) {
        self.key = key
        self.secret = secret
        token = .current(at: now)
    }

    /// What playlists say of a folder's resources.
    func segmentEncryption(of folder: String) -> SegmentEncryption {
        SegmentEncryption(
            keyURI: "\(Self.keyName)?\(Self.tokenParameter)=\(token.text(for: key, secret: secret))",
            initializationVector: TitleKey.hexadecimal(key.vector(of: folder)))
    }

    func isValid(token: some StringProtocol, now: Int64) -> Bool {
        TitleKeyToken.isValid(token, for: key, secret: secret, now: now)
    }
}
