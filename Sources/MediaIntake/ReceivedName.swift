import Foundation
package import LibraryCore

/// A safe file name derived from the name that a client requests.
package struct ReceivedName: Sendable, Hashable {
    /// One path component without control characters, with a file extension of a media type.
    package let text: String
    package let section: LibrarySection

    /// Limit on the bytes of the name. Together with the suffixes that are added to it, it stays below what file
    /// systems allow.
    static let maximumByteCount = 200

    /// - Parameter wish: the requested name, or a path of which the last component is used.
    /// - Throws: `LibraryError` if the file extension is not one of a media type.
    package init(_ wish: String) throws {
        // The path is split by bytes, because a combining mark hides a slash from a comparison of characters.
        let separators = [UInt8(ascii: "/"), UInt8(ascii: "\\")]
        let last = wish.utf8.split(whereSeparator: separators.contains).last.map { Substring($0) } ?? ""
        let visible = last.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format ? " " : scalar
        }
        var name = String(String.UnicodeScalarView(visible)).trimmingCharacters(in: .whitespaces)
        while name.unicodeScalars.first == "." { name.unicodeScalars.removeFirst() }
        let ending = MediaKind.fileExtension(of: name)
        guard let kind = MediaKind(fileName: name), kind != .playlist else {
            throw LibraryError(
                .notMedia,
                "\(name.isEmpty ? "a file without a name" : name) has no file extension of a video or audio format")
        }
        var stem = String(name.dropLast(ending.count + 1))
        while stem.utf8.count + ending.utf8.count + 1 > Self.maximumByteCount { stem.removeLast() }
        text = "\(stem.isEmpty ? "file" : stem).\(name.suffix(ending.count))"
        section = kind == .audio ? .tracks : .titles
    }
}
