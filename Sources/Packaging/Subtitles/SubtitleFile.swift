package import MediaCore

/// A subtitle file beside a video, and what its name says: `film.es.forced.srt` is forced Spanish for `film.mp4`.
package struct SubtitleFile: Sendable, Hashable {
    package var path: String
    package var identity: MediaFile.Identity
    package var format: SubtitleDocument.Format
    package var language: LanguageTag?
    /// Only what is to be read whoever listens: signs, and foreign speech.
    package var isForced: Bool
    /// With speakers and noises, for those who do not hear.
    package var isForTheDeaf: Bool
    package var isDefault: Bool

    /// More are ignored, in the order of their names.
    package static let maximumCount = 32

    /// - Parameters:
    ///   - name: of the file, without folders.
    ///   - stem: the video's name without ending.
    /// - Returns: `nil` where it is no subtitle of that video; `film.part2.srt` belongs to `film.part2.mp4`.
    package init?(name: String, ofVideo stem: String, path: String, identity: MediaFile.Identity) {
        guard name.hasPrefix(stem + ".") else { return nil }
        var words = name.dropFirst(stem.count + 1).split(separator: ".", omittingEmptySubsequences: false)
        guard let ending = words.popLast(), let format = SubtitleDocument.Format(rawValue: ending.lowercased()) else {
            return nil
        }
        self.path = path
        self.identity = identity
        self.format = format
        (isForced, isForTheDeaf, isDefault) = (false, false, false)
        for word in words {
            switch word.lowercased() {
            case "forced": isForced = true
            case "sdh", "cc": isForTheDeaf = true
            case "default": isDefault = true
            case let text:
                guard language == nil, let tag = LanguageTag(text) else { return nil }
                language = tag
            }
        }
    }

    /// Changes whenever a file does.
    static func revision(of identity: MediaFile.Identity) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(identity.byteCount)-\(identity.modificationTime)-\(identity.inode)".utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return String(hash, radix: 36)
    }
}
