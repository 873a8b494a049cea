import LibraryCore
import MediaCore

/// The name of a title or track whose file has no title tag.
package struct FileTitle: Sendable, Hashable {
    /// The name from the file name alone: `Summer_party.2024.mp4` becomes "Summer party.2024".
    package let plain: String
    /// The same with the folders that tell it from others of its name: "Álbum 2 – 01".
    package let qualified: String
    /// True if the name says nothing without its folder: "01", "Track 3", "S01E02".
    package let needsFolder: Bool

    private static let ordinalWords: Set<String> = [
        "track", "pista", "cd", "disc", "disk", "disco", "part", "parte", "chapter", "capitulo", "capítulo", "episode",
        "episodio", "season", "temporada", "title", "titulo", "título", "video", "vídeo", "audio", "vol", "s", "e",
        "ep", "side", "lado", "clip",
    ]

    /// - Parameter name: the file's path relative to the section's folder.
    package init(fileName name: String) {
        let parts = name.pathComponents.map(String.init)
        let last = parts.last ?? name
        plain = UntrustedText.stripped(MediaKind.stem(of: last).replacing("_", with: " "))
        needsFolder = Self.isOrdinal(plain)
        // Recordings are already named after their channel and time.
        let folders = parts.first == MediaFolder.recordingsPrefix ? [] : parts.dropLast()
        var names = [plain]
        for folder in folders.reversed() {
            names.insert(folder.replacing("_", with: " "), at: 0)
            guard Self.isOrdinal(folder) else { break }
        }
        qualified = names.joined(separator: " – ")
    }

    /// Returns whether the name consists only of numbers and of words that count.
    private static func isOrdinal(_ name: String) -> Bool {
        name.lowercased().split { !$0.isLetter }.allSatisfy { ordinalWords.contains(String($0)) }
    }
}
