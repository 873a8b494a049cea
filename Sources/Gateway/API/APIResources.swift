package import Catalogue
import LiveChannels
import VODLibrary

/// The JSON shapes of the API; ``OpenAPIDocument`` describes their fields.
package enum APIResources {
    /// - Parameter isEncrypted: `nil` where that is not known, as without a server.
    package static func title(_ title: TitleRecord, isEncrypted: Bool? = nil) -> JSONText {
        .object([
            ("id", .string(title.id)), ("title", .string(title.title)), ("file", .string(title.file)),
            ("state", .string(title.state.rawValue)), ("progress", .optional(title.progress)),
            ("error", .optional(title.error)), ("ingestSeconds", .optional(title.ingestSeconds)),
            ("duration", .optional(title.duration)), ("width", .optional(title.width)),
            ("height", .optional(title.height)), ("frameRate", .optional(title.frameRate)),
            ("videoCodec", .optional(title.videoCodec)), ("audioCodec", .optional(title.audioCodec)),
            ("byteCount", .integer(Int(title.byteCount))), ("playlist", .string(playlistPath(title))),
            ("poster", .optional(posterPath(title))), ("posterAt", .optional(title.posterTime)),
            ("storyboard", .optional(storyboardPath(title))), ("leftOut", .optional(title.leftOut)),
            ("duplicateOf", .optional(title.duplicateOf)),
            ("encrypt", isEncrypted.map(JSONText.boolean) ?? .null),
        ])
    }

    package static func track(_ track: AudioTrackRecord) -> JSONText {
        .object([
            ("id", .string(track.id)), ("title", .string(track.title)), ("artist", .optional(track.artist)),
            ("album", .optional(track.album)), ("year", .optional(track.year)),
            ("trackNumber", .optional(track.trackNumber)), ("genre", .optional(track.genre)),
            ("duration", .optional(track.duration)), ("codec", .optional(track.codec)),
            ("sampleRate", .optional(track.sampleRate)), ("channels", .optional(track.channels)),
            ("byteCount", .integer(Int(track.byteCount))), ("state", .string(track.state.rawValue)),
            ("error", .optional(track.error)), ("ingestSeconds", .optional(track.ingestSeconds)),
            ("playlist", .string(playlistPath(track))), ("file", .string("/radio/\(track.id)/file")),
            ("cover", .optional(coverPath(track))), ("duplicateOf", .optional(track.duplicateOf)),
        ])
    }

    package static func page(_ items: [JSONText], next: String? = nil) -> JSONText {
        .object([("items", .array(items)), ("next", .optional(next))])
    }

    static func misplaced(_ file: MisplacedFile) -> JSONText {
        .object([("file", .string(file.file)), ("belongsTo", .string(file.section.rawValue))])
    }

    static func preset(_ preset: QualityPreset) -> JSONText {
        .object([
            ("name", .string(preset.name)), ("width", .integer(preset.width)), ("height", .integer(preset.height)),
            ("frameRate", .number(preset.frameRate)), ("videoBitrate", .integer(preset.videoBitRate)),
            ("audioBitrate", .integer(preset.audioBitRate)),
        ])
    }

    // MARK: Paths

    package static func playlistPath(_ title: TitleRecord) -> String { "/vod/\(title.id)/playlist.m3u8" }
    package static func playlistPath(_ track: AudioTrackRecord) -> String { "/radio/\(track.id)/playlist.m3u8" }

    static func posterPath(_ title: TitleRecord) -> String? {
        title.poster.map { "/vod/\(title.id)/poster.jpg?v=\(pictureVersion($0))" }
    }

    static func storyboardPath(_ title: TitleRecord) -> String? {
        title.storyboard == nil ? nil : "/vod/\(title.id)/\(Storyboard.fileName)?v=\(title.revision)"
    }

    /// Of a poster, by its path: another picture has another one.
    static func pictureVersion(_ path: String) -> String {
        // FNV-1a: it tells pictures of one title apart, and nobody gains by forging one.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in path.utf8.suffix(maximumVersionedByteCount) {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return String(hash, radix: 36)
    }

    /// Of a path's end; a file's name is not longer.
    private static let maximumVersionedByteCount = 255

    static func coverPath(_ track: AudioTrackRecord) -> String? {
        track.cover == nil ? nil : "/radio/\(track.id)/cover"
    }
}
