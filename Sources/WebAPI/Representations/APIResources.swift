package import Catalogue
import HTTPEndpoints
package import JSONDocument
import LibraryCore
import LibraryDetails
import MediaCore
import MediaFolders
import Workflows

/// The JSON representations of the API's resources. `/api/v1/openapi.json` describes their fields.
package enum APIResources {
    /// The JSON of a title.
    ///
    /// - Parameters:
    ///   - title: the title's record.
    ///   - isEncrypted: whether the title's segments are encrypted; `nil` if that is not known, because no server is
    ///     running.
    package static func title(_ title: TitleRecord, isEncrypted: Bool? = nil) -> JSONText {
        .object(
            [
                ("id", .string(title.id)), ("title", .string(title.title)), ("file", .string(title.file)),
                ("kind", .string(title.kind.rawValue)), ("state", .string(title.state.rawValue)),
                ("progress", .optional(title.progress)),
                ("error", .optional(title.error)), ("ingestSeconds", .optional(title.ingestSeconds)),
                ("duration", .optional(title.duration.map(milliseconds))), ("width", .optional(title.width)),
                ("height", .optional(title.height)), ("frameRate", .optional(title.frameRate)),
                ("videoCodec", .optional(title.videoCodec)), ("audioCodec", .optional(title.audioCodec)),
                ("byteCount", .integer(Int(title.byteCount))), ("playlist", .string(ResourcePaths.playlist(title))),
                ("poster", .optional(ResourcePaths.poster(title))), ("posterAt", .optional(title.posterTime)),
                ("storyboard", .optional(ResourcePaths.storyboard(title))), ("leftOut", .optional(title.leftOut)),
                ("duplicateOf", .optional(title.duplicateOf)),
                ("encrypt", isEncrypted.map(JSONText.boolean) ?? .null),
                ("addedAt", .string(timestamp(title.addedAt))),
            ]
                + fields(
                    title.details,
                    [
                        .description, .year, .genres, .cast, .ageRating, .website, .series, .season, .episode, .artist,
                        .album,
                    ]))
    }

    /// Seconds to the millisecond: a media time that is no decimal fraction has 15 digits otherwise.
    private static func milliseconds(_ seconds: Double) -> Double { (seconds * 1_000).rounded() / 1_000 }

    /// The JSON of an audio track.
    package static func track(_ track: AudioTrackRecord) -> JSONText {
        .object(
            [
                ("id", .string(track.id)), ("title", .string(track.title)), ("artist", .optional(track.artist)),
                ("album", .optional(track.album)), ("year", .optional(track.year)),
                ("trackNumber", .optional(track.trackNumber)), ("genre", .optional(track.genre)),
                ("duration", .optional(track.duration.map(milliseconds))), ("codec", .optional(track.codec)),
                ("sampleRate", .optional(track.sampleRate)), ("channels", .optional(track.channels)),
                ("byteCount", .integer(Int(track.byteCount))), ("state", .string(track.state.rawValue)),
                ("error", .optional(track.error)), ("ingestSeconds", .optional(track.ingestSeconds)),
                ("playlist", .string(ResourcePaths.playlist(track))), ("file", .string("/radio/\(track.id)/file")),
                ("cover", .optional(ResourcePaths.cover(track))), ("duplicateOf", .optional(track.duplicateOf)),
                ("addedAt", .string(timestamp(track.addedAt))),
            ] + fields(track.details, [.genres, .description, .website]))
    }

    /// One page of a list.
    ///
    /// - Parameters:
    ///   - items: the JSON of each item.
    ///   - next: the cursor of the next page; `nil` on the last page.
    package static func page(_ items: [JSONText], next: String? = nil) -> JSONText {
        .object([("items", .array(items)), ("next", .optional(next))])
    }

    static func misplaced(_ file: MisplacedFile) -> JSONText {
        .object([
            ("file", .string(file.file)), ("reason", .string(file.reason.rawValue)),
            ("belongsTo", .optional(file.section?.rawValue)),
        ])
    }

    static func preset(_ preset: QualityPreset) -> JSONText {
        .object([
            ("name", .string(preset.name)), ("width", .integer(preset.width)), ("height", .integer(preset.height)),
            ("frameRate", .number(preset.frameRate)), ("videoBitrate", .integer(preset.videoBitRate)),
            ("audioBitrate", .integer(preset.audioBitRate)),
        ])
    }
}
