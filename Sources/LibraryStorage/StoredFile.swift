package import Packaging

/// A file of the library that lies in the media store.
package struct StoredFile: Sendable, Hashable {
    /// The place of the file on this machine, as ``LibraryPlaces`` names it, such as `media/vod/film.mp4`.
    package var place: String
    /// The key of its object.
    package var key: String
    /// Size in bytes.
    package var byteCount: Int64
    /// The modification time that the file had on this machine, in nanoseconds since 1970.
    package var modificationTime: Int64
    /// The version of the object, as the store names it.
    package var version: String
    /// The SHA-256 of the content in hexadecimal digits.
    package var sha256: String

    /// Creates a description; the parameters are the properties of the same names.
    package init(
        place: String, key: String, byteCount: Int64, modificationTime: Int64, version: String, sha256: String
    ) {
        self.place = place
        self.key = key
        self.byteCount = byteCount
        self.modificationTime = modificationTime
        self.version = version
        self.sha256 = sha256
    }

    /// The identity of the file, which is that of no local file: no device has that number.
    package var identity: MediaFile.Identity {
        // FNV-1a is sufficient: it tells the objects of one place apart, and nobody gains by forging one.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return MediaFile.Identity(
            device: .max, inode: hash, byteCount: byteCount, modificationTime: modificationTime)
    }
}
