/// The kind of a file in the media folder, judging by its file extension.
package enum MediaKind: Sendable, Hashable {
    case video
    case audio
    /// A container that holds songs as often as films: the section in which it lies decides. Elsewhere it is a video.
    case videoOrAudio
    /// A text file that makes libav open other files. It is refused by name, with a reason, before anything opens it.
    case playlist

    private static let videoExtensions: Set<String> = [
        "mp4", "m4v", "mov", "qt", "mkv", "webm", "avi", "ts", "m2ts", "mts", "mpg", "mpeg", "vob", "flv", "wmv",
        "ogv", "3gp", "3g2", "mxf", "ivf",
    ]
    private static let audioExtensions: Set<String> = [
        // In MPEG's, Xiph's, Microsoft's and Matroska's containers.
        "mp3", "mp2", "mpa", "m4a", "m4b", "m4r", "aac", "ogg", "oga", "opus", "spx", "wav", "wave", "w64", "wma",
        "mka", "weba",
        // Lossless.
        "flac", "wv", "ape", "tta", "dsf", "aif", "aiff", "aifc", "caf", "au",
        // Others.
        "mpc", "ac3", "eac3", "ec3", "dts", "amr", "ra",
    ]
    private static let videoOrAudioExtensions: Set<String> = ["asf", "rm"]
    private static let playlistExtensions: Set<String> = [
        "m3u8", "m3u", "pls", "xspf", "mpd", "ffconcat", "concat", "sdp", "asx",
    ]
    /// Extensions of ISO BMFF files. They are indexed without conversion if possible, so that is tried first.
    package static let movieExtensions: Set<String> = ["mp4", "m4v", "mov", "qt", "3gp", "3g2", "m4a", "m4b", "m4r"]

    /// `nil` for a file that is not a media file, such as a subtitle or a note.
    package init?(fileName: String) {
        let ending = Self.fileExtension(of: fileName)
        if Self.videoExtensions.contains(ending) {
            self = .video
        } else if Self.audioExtensions.contains(ending) {
            self = .audio
        } else if Self.videoOrAudioExtensions.contains(ending) {
            self = .videoOrAudio
        } else if Self.playlistExtensions.contains(ending) {
            self = .playlist
        } else {
            return nil
        }
    }

    /// The name without its extension.
    package static func stem(of name: String) -> String {
        let ending = fileExtension(of: name)
        return ending.isEmpty ? name : String(name.dropLast(ending.count + 1))
    }

    package static func fileExtension(of name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }
}
