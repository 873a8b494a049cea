import MediaCore

/// The rules for keys of a ``MediaStore``. They let a key be a path in a folder as well as a key of an object store.
package enum MediaKey {
    /// S3 allows 1,024 bytes; the difference is left to the prefix of the address.
    package static let maximumByteCount = 768
    /// Linux allows 255 bytes for a name.
    package static let maximumComponentByteCount = 255
    /// The names of files that are being written begin with it; no name in a key does.
    package static let reservedNamePrefix = ".antena-"

    /// Checks a key: names separated by single slashes, none of them `.` or `..`, without control characters.
    ///
    /// - Throws: ``MediaStorageError`` with `invalidRequest`.
    package static func check(_ key: String) throws {
        guard let problem = problem(with: key) else { return }
        throw MediaStorageError(.invalidRequest, "the key `\(escaped(key))` \(problem)")
    }

    /// Says what is wrong with a key, in words that follow "the key"; `nil` if it can be used.
    static func problem(with key: String) -> String? {
        guard !key.isEmpty else { return "is empty" }
        guard key.utf8.count <= maximumByteCount else { return "has more than \(maximumByteCount) bytes" }
        guard key.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return "contains a control character" }
        for name in key.split(separator: "/", omittingEmptySubsequences: false) {
            guard !name.isEmpty else { return "begins or ends with a slash, or has two in a row" }
            guard name != ".", name != ".." else { return "contains the name `\(name)`" }
            guard !name.hasPrefix(reservedNamePrefix) else { return "contains a name with `\(reservedNamePrefix)`" }
            guard name.utf8.count <= maximumComponentByteCount else {
                return "contains a name of more than \(maximumComponentByteCount) bytes"
            }
        }
        return nil
    }

    /// Limit on the part of a wrong key that an error shows.
    private static let maximumShownCharacterCount = 200

    private static func escaped(_ key: String) -> String {
        UntrustedText.escaped(key, maximumCharacterCount: maximumShownCharacterCount)
    }
}
