import MediaIntake

/// The name of a file that is received over HTTP.
package enum ReceivedFileName {
    /// The name with a file extension for its type if it has none.
    ///
    /// - Parameters:
    ///   - name: the client's name for the file.
    ///   - contentType: the value of the Content-Type field; `nil` if there is none.
    package static func completed(_ name: String, ofType contentType: String?) -> String {
        if (try? ReceivedName(name)) != nil { return name }
        let type = contentType?.split(separator: ";").first?.lowercased() ?? ""
        return endings[type].map { "\(name).\($0)" } ?? name
    }

    private static let endings = [
        "video/mp4": "mp4", "video/quicktime": "mov", "video/x-matroska": "mkv", "video/webm": "webm",
        "video/mp2t": "ts", "video/x-msvideo": "avi", "video/x-flv": "flv", "video/mpeg": "mpg", "video/ogg": "ogv",
        "audio/mpeg": "mp3", "audio/mp4": "m4a", "audio/aac": "aac", "audio/ogg": "ogg", "audio/flac": "flac",
        "audio/wav": "wav", "audio/x-wav": "wav",
    ]
}
