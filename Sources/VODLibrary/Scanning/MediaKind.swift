/// What a file in the media folder is taken for, by its folder and its name's ending.
enum MediaKind: Sendable, Hashable {
    case video
    case audio
    /// Text that makes libav open other files: refused by name, with a reason, before anything opens it.
    case playlist

    private static let videoExtensions: Set<String> = [
        "mp4", "m4v", "mov", "qt", "mkv", "webm", "avi", "ts", "m2ts", "mts", "mpg", "mpeg", "vob", "flv", "wmv",
        "asf", "ogv", "3gp", "3g2", "mxf", "ivf",
    ]
    private static let audioExtensions: Set<String> = [
        "mp3", "m4a", "m4b", "aac", "ogg", "oga", "opus", "flac", "wav", "wave", "aif", "aiff", "w64", "wma",
    ]
    private static let playlistExtensions: Set<String> = [
        "m3u8", "m3u", "pls", "xspf", "mpd", "ffconcat", "concat", "sdp", "asx",
    ]
    /// ISO BMFF by name: indexed in place where possible, so tried first.
    static let movieExtensions: Set<String> = ["mp4", "m4v", "mov", "qt", "3gp", "3g2", "m4a", "m4b"]

    /// `nil` for what is no medium, such as a subtitle or a note.
    init?(fileName: String) {
        let ending = Self.fileExtension(of: fileName)
        if Self.videoExtensions.contains(ending) {
            self = .video
        } else if Self.audioExtensions.contains(ending) {
            self = .audio
        } else if Self.playlistExtensions.contains(ending) {
            self = .playlist
        } else {
            return nil
        }
    }

    static func fileExtension(of name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }
}

/// Which half of the library a file belongs to.
package enum LibrarySection: String, Sendable, Hashable, CaseIterable {
    case titles = "vod"
    case tracks = "audio"

    var other: LibrarySection { self == .titles ? .tracks : .titles }

    /// Whether a file of that kind becomes a record here; a playlist becomes one that says why it is refused.
    func takes(_ kind: MediaKind) -> Bool {
        switch kind {
        case .video: self == .titles
        case .audio: self == .tracks
        case .playlist: true
        }
    }
}
