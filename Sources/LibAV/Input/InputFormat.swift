import CLibAV
import Glibc

/// The media formats that Antena opens, and the detection of all others.
enum InputFormat {
    /// libav's short names of the demuxers that may be used. All of them read one file; none follows references
    /// (concat, hls, dash, sdp, rtsp, image2, imf), generates input (lavfi) or opens devices.
    static let allowedNames = containerNames.union(audioNames).union(videoStreamNames)

    /// The demuxers of containers that hold video, audio or both.
    private static let containerNames: Set<String> = [
        "asf", "avi", "dv", "flv", "gxf", "ivf", "matroska,webm", "mov,mp4,m4a,3gp,3g2,mj2", "mpeg", "mpegts", "mxf",
        "nut", "ogg", "rm", "wtv",
    ]

    /// The demuxers of files that hold audio only.
    private static let audioNames: Set<String> = [
        "aac", "ac3", "aiff", "amr", "ape", "au", "caf", "dsf", "dts", "eac3", "flac", "mp3", "mpc", "mpc8", "tta",
        "w64", "wav", "wv",
    ]

    /// The demuxers of video without a container.
    private static let videoStreamNames: Set<String> = ["av1", "h264", "hevc", "m4v", "mpegvideo", "obu", "vc1"]

    /// The demuxers of single images, for slates, posters and photos, never for the library.
    static let imageNames: Set<String> = ["jpeg_pipe", "png_pipe"]

    /// The bytes to examine for the format; the same as libav's default.
    static let maximumProbeByteCount = 1 << 20

    /// The first characters of playlists and scripts, which are told apart from unknown files so that the error can
    /// name them.
    private static let playlistBeginnings: [(beginning: String, kind: String)] = [
        ("#EXTM3U", "an M3U playlist"), ("ffconcat version", "an ffconcat script"), ("file '", "a concat script"),
        ("file ", "a concat script"), ("[playlist]", "a PLS playlist"), ("<MPD", "a DASH manifest"),
        ("<SmoothStreamingMedia", "a Smooth Streaming manifest"), ("<playlist", "an XSPF playlist"),
        ("<asx", "an ASX playlist"), ("<smil", "a SMIL presentation"), ("[Reference]", "an ASX playlist"),
        ("v=0", "a session description"), ("RTSPtext", "a reference movie"), ("rtsp://", "a list of addresses"),
        ("http://", "a list of addresses"), ("https://", "a list of addresses"),
    ]

    /// libav's names of demuxers that read files which refer to other files.
    private static let referringNames: Set<String> = [
        "concat", "dash", "hls", "image2", "image2pipe", "imf", "rtp", "rtsp", "sdp", "vapoursynth",
        "webm_dash_manifest",
    ]

    /// Checks the first bytes of the file without libav.
    ///
    /// Throws ``LibAVError`` if it is not a regular file, is empty, is a playlist, or starts with nothing but zeros.
    ///
    /// - Returns: The file's size in bytes.
    static func checkBeginning(path: String, name: String) throws(LibAVError) -> Int64 {
        // Non-blocking, so that a named pipe does not hold the process.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unreadable(name) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(name) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw LibAVError(.unreadable, file: name, "is not a regular file")
        }
        guard status.st_size > 0 else { throw LibAVError(.empty, file: name, "is empty (0 bytes)") }

        var beginning = [UInt8](repeating: 0, count: 64 << 10)
        let count = pread(descriptor, &beginning, beginning.count, 0)
        guard count >= 0 else { throw unreadable(name) }
        beginning.removeLast(beginning.count - count)
        if let kind = playlistKind(beginning) { throw refersElsewhere(name, kind) }
        if beginning.allSatisfy({ $0 == 0 }) {
            throw LibAVError(.unrecognised, file: name, "holds no media: its first \(count) bytes are all zero")
        }
        return Int64(status.st_size)
    }

    /// Detects the format from the content, not from the file's name.
    static func probe(
        _ io: UnsafeMutablePointer<AVIOContext>, name: String, accepting accepted: InputFile.Formats
    ) throws(LibAVError) -> UnsafePointer<AVInputFormat> {
        let allowedNames =
            switch accepted {
            case .media: allowedNames
            case .images: imageNames
            case .mediaAndImages: allowedNames.union(imageNames)
            }
        var format: UnsafePointer<AVInputFormat>?
        let score = libav.av_probe_input_buffer2(io, &format, "", nil, 0, UInt32(maximumProbeByteCount))
        if score == antena_averror(ENOMEM) || score == antena_averror_exit() {
            throw LibAVError(result: score, doing: "looking for its format", file: name, as: .unrecognised)
        }
        guard score >= 0, let format, let formatName = format.pointee.name.map({ String(cString: $0) }) else {
            throw unrecognised(name)
        }
        guard !referringNames.contains(formatName) else { throw refersElsewhere(name, "a playlist (\(formatName))") }
        // Plain text and noise resemble several raw formats a little; naming one would mislead.
        guard allowedNames.contains(formatName) || score > minimumTellingScore else { throw unrecognised(name) }
        guard allowedNames.contains(formatName) else {
            throw LibAVError(
                .formatNotAllowed, file: name, "is in the format '\(formatName)', which Antena does not support")
        }
        return format
    }

    /// Returns the kind of playlist or script that the bytes begin, for messages; `nil` if they are something else.
    static func playlistKind(_ bytes: [UInt8]) -> String? {
        var text = String(decoding: bytes.prefix(4096), as: UTF8.self)[...]
        if text.first == "\u{FEFF}" { text = text.dropFirst() }
        text = text.drop { $0.isWhitespace }
        // An XML declaration and comments may precede a manifest's root, and comments a concat script's first line.
        while text.hasPrefix("<?") || text.hasPrefix("<!") {
            guard let end = text.firstIndex(of: ">") else { return nil }
            text = text[text.index(after: end)...].drop { $0.isWhitespace }
        }
        while text.hasPrefix("#"), !text.hasPrefix("#EXTM3U") {
            text = text.drop { !$0.isNewline }.drop { $0.isWhitespace }
        }
        let lowercased = text.prefix(64).lowercased()
        return playlistBeginnings.first { lowercased.hasPrefix($0.beginning.lowercased()) }?.kind
    }

    /// libav's AVPROBE_SCORE_EXTENSION: the score that a matching file name extension alone would give.
    private static let minimumTellingScore: Int32 = 50

    private static func unrecognised(_ name: String) -> LibAVError {
        LibAVError(.unrecognised, file: name, "is not in any media format that Antena knows")
    }

    private static func unreadable(_ name: String) -> LibAVError {
        LibAVError(.unreadable, file: name, "cannot be read: \(String(cString: strerror(errno)))")
    }

    private static func refersElsewhere(_ name: String, _ kind: String) -> LibAVError {
        LibAVError(.refersElsewhere, file: name, "is \(kind) that refers to other files; not opened")
    }
}
