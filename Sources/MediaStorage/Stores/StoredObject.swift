/// An object in a ``MediaStore``.
package struct StoredObject: Sendable, Hashable {
    package var key: String
    package var byteCount: Int64
    /// Differs between two contents of the same key. An opaque text: the ETag of an object store, without quotes; made
    /// from size, modification time and inode in a folder.
    package var version: String
    /// The SHA-256 of the content in hexadecimal digits, if the store knows it. It is set when the object is put.
    package var sha256: String?

    /// Creates a description; the parameters are the properties of the same names.
    package init(key: String, byteCount: Int64, version: String, sha256: String? = nil) {
        self.key = key
        self.byteCount = byteCount
        self.version = version
        self.sha256 = sha256
    }
}
