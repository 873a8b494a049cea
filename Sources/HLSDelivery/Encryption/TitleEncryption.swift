import Crypto
import HLSPlaylist
import ISOBMFF
package import MediaCore
import NIOCore

/// The encryption of a title's resources, and the players' access to its key.
package struct TitleEncryption: Sendable, Equatable {
    let key: TitleKey
    /// Identifies the key without revealing it; part of the revision in segments' URLs.
    package var keyID: String { key.id }
    /// The method: whole resources, or their samples.
    package var method: EncryptionMethod { key.method }
    private let secret: SymmetricKey
    private let token: TitleKeyToken

    /// The last path component of the key's URL, below the title's path.
    static let keyName = "key"
    /// The last path component of the URL of licenses for `org.w3.clearkey`.
    static let licenseName = "license"
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
            method == .aes128 ? .resources : .samples, keyURI: "\(Self.keyName)?\(tokenQuery)",
            initializationVector: key.vector(of: folder).hexadecimalDigits)
    }

    /// The address of licenses, relative to the title's path.
    var licenseAddress: String { "\(Self.licenseName)?\(tokenQuery)" }

    private var tokenQuery: String { "\(Self.tokenParameter)=\(token.text(for: key, secret: secret))" }

    /// The encryption of the samples of a rendition; `nil` if whole resources are encrypted.
    ///
    /// - Parameter isVideo: whether the rendition is video, which has a pattern.
    func trackEncryption(of rendition: String, isVideo: Bool) -> TrackEncryption? {
        guard method == .cbcs else { return nil }
        return TrackEncryption(
            keyID: key.commonID, vector: key.vector(of: rendition), pattern: isVideo ? .oneOfTen : .all)
    }

    /// Returns whether a token permits fetching this title's key.
    ///
    /// - Parameter now: the current time.
    func isValid(token: some StringProtocol, now: WallClockTime) -> Bool {
        TitleKeyToken.isValid(token, for: key, secret: secret, now: now)
    }
}
