package import MediaCore

/// A subtitle file beside a video, with the properties in its name: `film.es.forced.srt` is forced Spanish for
/// `film.mp4`.
package struct SubtitleFile: Sendable, Hashable {
    /// The path of the subtitle file.
    package var path: String
    /// The identity of the subtitle file.
    package var identity: MediaFile.Identity
    /// The format, from the file extension.
    package var format: SubtitleDocument.Format
    /// The language; `nil` if the name does not say.
    package var language: LanguageTag?
    /// True if the subtitles are forced: signs and foreign speech only.
    package var isForced: Bool
    /// True if the subtitles describe speakers and noises, for people who are deaf or hard of hearing.
    package var isForTheDeaf: Bool
    /// True if the name marks them as the default.
    package var isDefault: Bool

    /// The largest number of files per video; further ones, in the order of their names, are ignored.
    package static let maximumCount = 32

    /// Parses a file name.
    ///
    /// - Parameters:
    ///   - name: The subtitle file's name, without folders.
    ///   - stem: The video's name without its extension.
    ///   - path: The subtitle file's whole path.
    ///   - identity: The identity of the file with that name now.
    /// - Returns: `nil` if the file does not belong to that video; `film.part2.srt` belongs to `film.part2.mp4`.
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

    /// A string that changes whenever the file does.
    static func revision(of identity: MediaFile.Identity) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(identity.byteCount)-\(identity.modificationTime)-\(identity.inode)".utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return String(hash, radix: 36)
    }
}
