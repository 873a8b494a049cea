import Crypto
import Foundation
import MediaCore
import MediaStorage

/// Makes keys for the objects of files.
enum ObjectKeys {
    /// Length of the random end of a key, in bytes.
    private static let randomByteCount = 8
    /// The space that is left for the name in front of the random end, in bytes.
    private static let maximumNameByteCount = MediaKey.maximumComponentByteCount - 2 * randomByteCount - 1
    private static let maximumPlaceByteCount = MediaKey.maximumByteCount - 2 * randomByteCount - 1

    /// A new key. It shows the place to a person who looks into the store, and no other key is like it, so that an
    /// object is never replaced.
    static func key(forPlace place: String) -> String {
        var generator = SystemRandomNumberGenerator()
        let end = (0..<randomByteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            .hexadecimalDigits
        return "\(name(ofPlace: place)).\(end)"
    }

    /// The place, or a digest of it if stores would not take it as a key.
    private static func name(ofPlace place: String) -> String {
        let parts = place.split(separator: "/", omittingEmptySubsequences: false)
        let isUsable =
            place.utf8.count <= maximumPlaceByteCount && place.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            && parts.allSatisfy {
                !$0.isEmpty && $0.utf8.count <= maximumNameByteCount && !$0.hasPrefix(MediaKey.reservedNamePrefix)
            }
        return isUsable ? place : "other/\(SHA256.hash(data: Data(place.utf8)).hexadecimalDigits)"
    }
}
