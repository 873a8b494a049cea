/// The path of a file relative to the media folder, as it stands in the address of its media: names between slashes,
/// which may have spaces and any letters.
///
/// Compared byte by byte, as file systems do: two names that only Unicode takes for equal are two files.
package struct MediaFileName: Sendable {
    package let text: String

    /// - Returns: `nil` for a path that leads out of the folder or could be read in two ways: see
    ///   ``MediaPath/isComponent(_:)``.
    package init?(_ text: String) {
        let names = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard names.allSatisfy({ MediaPath.isComponent(Substring($0)) }) else { return nil }
        self.text = text
    }

    /// The path percent-encoded, with slashes as they are.
    package var encoded: String { URIEncoding.encoded(text, keepsSlashes: true) }
}

extension MediaFileName: Hashable {
    package static func == (lhs: MediaFileName, rhs: MediaFileName) -> Bool {
        lhs.text.utf8.elementsEqual(rhs.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension MediaFileName: CustomStringConvertible {
    package var description: String { text }
}
