import Glibc

/// The names in a folder, as its file system has them.
struct FolderNames {
    /// The names that are valid UTF-8, sorted.
    private(set) var valid: [String] = []
    /// The other names, sorted, with U+FFFD in place of invalid bytes. No file can be opened by them.
    private(set) var invalid: [String] = []

    /// Reads a folder. Blocks.
    ///
    /// - Parameter path: The path of the folder.
    /// - Returns: `nil` if it cannot be read completely.
    init?(inFolder path: String) {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        while true {
            errno = 0
            guard let entry = readdir(folder) else { break }
            withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                let name = bytes.prefix { $0 != 0 }
                if let text = String(validating: name, as: UTF8.self) {
                    if text != ".", text != ".." { valid.append(text) }
                } else {
                    invalid.append(String(decoding: name, as: UTF8.self))
                }
            }
        }
        guard errno == 0 else { return nil }
        valid.sort()
        invalid.sort()
    }
}
