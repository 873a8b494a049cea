import Crypto

/// The checksum that a client sends with the bytes of a request.
package struct UploadChecksum: Sendable, Equatable {
    /// The checksum algorithms of tus 1.0 that are supported.
    package enum Algorithm: String, Sendable, CaseIterable {
        case sha1
        case sha256
        case md5
    }

    package var algorithm: Algorithm
    package var digest: [UInt8]

    package init(algorithm: Algorithm, digest: [UInt8]) {
        self.algorithm = algorithm
        self.digest = digest
    }

    func hasher() -> any HashFunction {
        switch algorithm {
        case .sha1: Insecure.SHA1()
        case .sha256: SHA256()
        case .md5: Insecure.MD5()
        }
    }
}
