/// Paths as the system sees them: bytes between slashes. To Swift, a slash that a combining mark follows is a different
/// character; to the system, it is still a slash.
package enum FilePathText {
    package static let slash = UInt8(ascii: "/")

    /// The last component.
    package static func name(of path: String) -> String {
        String(decoding: path.utf8.suffix(from: afterLastSlash(path)), as: UTF8.self)
    }

    /// Everything before the last component; `nil` for a bare name.
    package static func folder(of path: String) -> String? {
        let end = afterLastSlash(path)
        guard end > path.utf8.startIndex else { return nil }
        return String(decoding: path.utf8[..<path.utf8.index(before: end)], as: UTF8.self)
    }

    /// Returns whether the name is one entry of a folder: it has no slash, and is not the folder itself or its parent.
    package static func isName(_ name: some StringProtocol) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(slash) && !name.utf8.contains(0)
    }

    private static func afterLastSlash(_ path: String) -> String.Index {
        path.utf8.lastIndex(of: slash).map { path.utf8.index(after: $0) } ?? path.utf8.startIndex
    }
}
