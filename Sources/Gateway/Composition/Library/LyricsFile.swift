import Foundation

/// The file with the words of a track, which has the track's name.
enum LyricsFile {
    /// The endings of names, in the order in which they are looked for: with times, and without.
    private static let endings = ["lrc", "txt"]
    /// Limit of a file; a song has a few kilobytes.
    static let maximumByteCount = 64 << 10

    /// The text of the file beside another one; `nil` if there is none, or it is too large or not UTF-8. Blocks.
    static func text(besideFile path: String) -> String? {
        let base = URL(filePath: path).deletingPathExtension()
        for ending in endings {
            guard let file = try? FileHandle(forReadingFrom: base.appendingPathExtension(ending)) else { continue }
            defer { try? file.close() }
            guard let bytes = try? file.read(upToCount: maximumByteCount + 1), bytes.count <= maximumByteCount else {
                continue
            }
            if let text = String(bytes: bytes, encoding: .utf8) { return text }
        }
        return nil
    }
}
