import LibraryCore

/// The names in media folders that belong to a system or lie beside media: nobody has to be told that Antena does not
/// play them. All are in lower case, and compared without regard to case.
enum ExpectedNames {
    /// Folders in which NAS and desktop systems keep thumbnails, deleted files and snapshots. They are not searched:
    /// their files are the system's, or are not wanted any more. Hidden folders are never searched.
    private static let systemFolders: Set<String> = [
        // Synology and others.
        "@eadir", "#recycle", "#snapshot", "@tmp",
        // QNAP and others.
        "@recycle", "@recently-snapshot", "@__thumb",
        // Windows.
        "$recycle.bin", "recycler", "recycled", "system volume information", "found.000",
        // Linux and macOS.
        "lost+found", "__macosx", "network trash folder", "temporary items",
    ]

    /// Files without an extension that people put beside media.
    private static let files: Set<String> = ["readme", "license", "copying", "icon\r"]

    /// Extensions of files beside media, by their purpose.
    private static let endings: Set<String> = [
        // Subtitles and lyrics.
        "srt", "vtt", "ass", "ssa", "sub", "idx", "sup", "smi", "ttml", "dfxp", "stl", "scc", "lrc",
        // Posters, covers and booklets.
        "jpg", "jpeg", "png", "gif", "webp", "bmp", "tif", "tiff", "heic", "avif", "svg", "pdf",
        // Playlists and cue sheets: their files are taken one by one.
        "m3u", "m3u8", "pls", "xspf", "asx", "wpl", "cue",
        // Notes.
        "nfo", "txt", "md", "log", "url", "webloc", "html", "htm", "xml", "json", "rtf",
        // Checksums.
        "sfv", "md5", "sha1", "sha256", "ffp", "par2", "accurip", "torrent",
        // Systems and other players.
        "db", "ini", "lnk", "bif", "edl", "plist",
        // Menus and indexes of discs.
        "ifo", "bup", "mpls", "clpi", "bdmv", "bdjo",
        // Files that are being written.
        "part", "partial", "filepart", "tmp", "temp", "crdownload", "download", "aria2", "!qb", "!ut",
    ]

    /// Bytes of the longest name that is looked up.
    private static let maximumNameByteCount = 32

    /// Returns whether a folder with the name is not searched.
    static func isSystemFolder(_ name: some StringProtocol) -> Bool {
        name.utf8.count <= maximumNameByteCount && systemFolders.contains(name.lowercased())
    }

    /// Returns whether a file with the name is passed over quietly.
    static func isExpectedFile(_ name: String) -> Bool {
        let ending = MediaKind.fileExtension(of: name)
        return ending.isEmpty
            ? name.utf8.count <= maximumNameByteCount && files.contains(name.lowercased()) : endings.contains(ending)
    }
}
