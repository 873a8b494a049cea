import DASHManifest
import HTTPTypes

/// The header fields of all kinds of responses, created once.
enum MediaFields {
    static let livePlaylist = playlist(cacheControl: "public, max-age=1")
    /// Fields of a blocking reload. Its URL names the position, so the response stays valid for later requests of the
    /// same URL, and a cache in front of many players sends one request to the server.
    static let blockingReload = playlist(cacheControl: "public, max-age=6")
    /// Fields of a title's playlist, which changes when the file is replaced.
    static let titlePlaylist = playlist(cacheControl: "public, max-age=30")
    static let encryptedTitlePlaylist = playlist(cacheControl: "private, max-age=30")
    static let liveManifest = manifest(cacheControl: "public, max-age=1")
    static let liveManifestPatch = compressed(ManifestPatch.mediaType, cacheControl: "public, max-age=1")
    static let titleManifest = manifest(cacheControl: "public, max-age=30")
    static let encryptedTitleManifest = manifest(cacheControl: "private, max-age=30")
    static let subtitleSegment = media("text/vtt; charset=utf-8")
    /// Fields of a subtitle file, whose URL stays the same when the subtitles change.
    static let subtitles: HTTPFields = [
        .contentType: "text/vtt; charset=utf-8", .cacheControl: "public, max-age=30",
    ]
    static let chapters: HTTPFields = [
        .contentType: "application/json", .cacheControl: "public, max-age=30",
    ]
    static let key: HTTPFields = [
        .contentType: "application/octet-stream", .cacheControl: "no-store",
    ]
    static let license: HTTPFields = [
        .contentType: "application/json", .cacheControl: "no-store",
    ]
    static let videoSegment = media("video/iso.segment")
    static let audioSegment = media("video/iso.segment")
    static let transportStreamSegment = media("video/mp2t")
    static let videoInitialization = media("video/mp4")
    static let audioInitialization = media("audio/mp4")
    static let problem: HTTPFields = [
        .contentType: "application/problem+json", .cacheControl: "no-store",
    ]

    /// - Parameter rendition: the name of a channel's rendition, such as `audio` or `audio-opus`.
    static func segment(ofRendition rendition: String) -> HTTPFields {
        isAudio(rendition) ? audioSegment : videoSegment
    }

    /// - Parameter rendition: the name of a channel's rendition.
    static func initialization(ofRendition rendition: String) -> HTTPFields {
        isAudio(rendition) ? audioInitialization : videoInitialization
    }

    private static func isAudio(_ rendition: String) -> Bool { rendition.utf8.starts(with: "audio".utf8) }

    private static func playlist(cacheControl: String) -> HTTPFields {
        compressed("application/vnd.apple.mpegurl", cacheControl: cacheControl)
    }

    private static func manifest(cacheControl: String) -> HTTPFields {
        compressed(MediaPresentationDescription.mediaType, cacheControl: cacheControl)
    }

    private static func compressed(_ contentType: String, cacheControl: String) -> HTTPFields {
        [.contentType: contentType, .cacheControl: cacheControl, .vary: "Accept-Encoding"]
    }

    private static func media(_ contentType: String) -> HTTPFields {
        [.contentType: contentType, .cacheControl: CachePolicy.media]
    }
}
