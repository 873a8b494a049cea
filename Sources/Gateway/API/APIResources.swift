package import Catalogue
import LiveChannels
import VODLibrary

/// The JSON representations of the API's resources. `/api/v1/openapi.json` describes their fields.
package enum APIResources {
    /// The JSON of a title.
    ///
    /// - Parameter isEncrypted: whether the title's segments are encrypted; `nil` if that is not known, because no
    ///   server
    ///   is running.
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

    /// The JSON of an audio track.
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

    /// One page of a list.
    ///
    /// - Parameter next: the cursor of the next page; `nil` on the last page.
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

    /// The path of a title's multivariant playlist on this server.
    package static func playlistPath(_ title: TitleRecord) -> String { "/vod/\(title.id)/playlist.m3u8" }
    /// The path of a track's playlist on this server.
    package static func playlistPath(_ track: AudioTrackRecord) -> String { "/radio/\(track.id)/playlist.m3u8" }

    static func posterPath(_ title: TitleRecord) -> String? {
        title.poster.map { "/vod/\(title.id)/poster.jpg?v=\(pictureVersion($0))" }
    }

    static func storyboardPath(_ title: TitleRecord) -> String? {
        title.storyboard == nil ? nil : "/vod/\(title.id)/\(Storyboard.fileName)?v=\(title.revision)"
    }

    /// A version for a poster's URL, derived from the file's path, so that a new image gets a new URL.
    static func pictureVersion(_ path: String) -> String {
        // FNV-1a only has to distinguish the images of one title; forging a collision gains nothing.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in path.utf8.suffix(maximumVersionedByteCount) {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return String(hash, radix: 36)
    }

    /// Number of bytes at the end of the path that are hashed; a file name is not longer.
    private static let maximumVersionedByteCount = 255

    static func coverPath(_ track: AudioTrackRecord) -> String? {
        track.cover == nil ? nil : "/radio/\(track.id)/cover"
    }
}
