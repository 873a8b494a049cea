import MediaCore

/// The texts of a file's tags as they were written, where libav has only the first of several values, or another
/// encoding.
enum SourceTags {
    /// Limit on the texts of a tag; an ordinary one has a dozen and a cover.
    static let maximumTextCount = 256
    /// Limit on the bytes of a text with all its values.
    static let maximumTextByteCount = InputFile.maximumTagByteCount

    /// Keys whose values all count; of the others the first one does.
    private static let listKeys: Set<String> = ["artist", "album_artist", "composer", "genre"]

    /// Reads the tags of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - legacy: The encoding of texts that are not Unicode.
    /// - Returns: Texts by libav's keys. Several values are joined with semicolons, as libav joins those of Vorbis
    ///   comments. Empty if the file has no tag of a known kind.
    static func read(path: String, legacy: LegacyEncoding) -> [String: String] {
        TagBytes.withFile(at: path) { read($0, legacy: legacy) }
    }

    /// Reads the tags in the bytes of a file, in the same way.
    static func read(_ file: TagBytes, legacy: LegacyEncoding) -> [String: String] {
        var values = ID3v2Tag(in: file, legacy: legacy)?.values ?? [:]
        for other in [APETag(in: file, legacy: legacy)?.values, MovieTag(in: file)?.values] {
            values.merge(other ?? [:]) { first, _ in first }
        }
        return values.reduce(into: [:]) { result, entry in
            let texts = entry.value.filter { !$0.isEmpty }
            result[entry.key] = listKeys.contains(entry.key) ? texts.joined(separator: ";") : texts.first
        }.filter { !$0.value.isEmpty }
    }

    /// The values of a text in which a zero byte separates them.
    static func values(_ bytes: some Collection<UInt8>, legacy: LegacyEncoding) -> [String] {
        bytes.split(separator: 0).map { legacy.text($0) }
    }
}
