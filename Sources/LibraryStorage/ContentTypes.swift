/// Media types by file extension: of objects, for people and programs that look into the store, and of track files.
package enum ContentTypes {
    private static let types = [
        "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime", "mkv": "video/x-matroska",
        "webm": "video/webm", "ts": "video/mp2t", "m4a": "audio/mp4", "m4b": "audio/mp4", "mp3": "audio/mpeg",
        "flac": "audio/flac", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav",
        "wave": "audio/wav", "aac": "audio/aac", "aif": "audio/aiff", "aiff": "audio/aiff", "aifc": "audio/aiff",
        "spx": "audio/ogg", "mp2": "audio/mpeg", "mpa": "audio/mpeg", "m4r": "audio/mp4", "ac3": "audio/ac3",
        "eac3": "audio/eac3", "ec3": "audio/eac3", "amr": "audio/amr", "au": "audio/basic", "wma": "audio/x-ms-wma",
        "asf": "video/x-ms-asf", "mka": "audio/x-matroska", "weba": "audio/webm", "wv": "audio/x-wavpack",
        "ape": "audio/x-ape", "mpc": "audio/x-musepack", "tta": "audio/x-tta", "dsf": "audio/x-dsf",
        "caf": "audio/x-caf", "dts": "audio/vnd.dts", "jpg": "image/jpeg",
        "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp", "vtt": "text/vtt",
    ]

    /// Returns the media type of a file; `application/octet-stream` if its extension is not known.
    ///
    /// - Parameter path: the name or the path of the file.
    package static func type(ofFile path: String) -> String {
        guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "application/octet-stream" }
        return types[path[path.utf8.index(after: dot)...].lowercased()] ?? "application/octet-stream"
    }
}
