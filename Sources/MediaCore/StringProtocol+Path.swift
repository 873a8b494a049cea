/// Paths as the system sees them, as bytes. Characters hide a slash that is followed by a combining mark (`a/\u{338}b`
/// has one slash and no `/` character).
extension StringProtocol {
    /// The parts between the slashes, without empty ones.
    package var pathComponents: [Substring] {
        Substring(self).utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    }

    /// The last part; empty if there is none.
    package var lastPathComponent: String { pathComponents.last.map(String.init) ?? "" }

    /// The part after `folder` and a slash; `nil` if the path does not lie below the folder.
    package func path(below folder: some StringProtocol) -> Substring? {
        let text = Substring(self)
        guard text.utf8.starts(with: folder.utf8) else { return nil }
        let rest = text.utf8.dropFirst(folder.utf8.count)
        return rest.first == UInt8(ascii: "/") ? Substring(rest.dropFirst()) : nil
    }
}
