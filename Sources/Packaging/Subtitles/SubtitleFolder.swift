import Glibc
package import MediaCore
import Synchronization

/// Finds subtitle files beside videos. A folder's listing is cached until the folder changes, so that a title that is
/// being watched costs one stat(2) every few seconds.
package final class SubtitleFolder: Sendable {
    private struct Listing {
        var modificationTime: Int64
        var names: [String]
    }

    private let listings = Mutex<[String: Listing]>([:])

    /// The largest number of cached folders; a library has some dozen folders with titles that are being watched.
    private static let maximumFolderCount = 64
    /// The largest number of names in a folder: twenty languages of each of five thousand films.
    private static let maximumNameCount = 100_000
    /// The time within which a second change may leave a folder's modification time as it is.
    private static let clockTick = Duration.seconds(1)

    /// Creates a finder with an empty cache.
    package init() {}

    /// Returns the subtitle files of a video in the order of their names.
    ///
    /// - Parameters:
    ///   - path: The path of the video.
    ///   - now: The current time.
    package func files(besideVideoAt path: String, now: WallClockTime) -> [SubtitleFile] {
        guard let slash = path.lastIndex(of: "/") else { return [] }
        let folder = String(path[..<slash])
        let video = path[path.index(after: slash)...]
        let stem = String(video.lastIndex(of: ".").map { video[..<$0] } ?? video)
        guard !stem.isEmpty else { return [] }
        return names(in: folder, now: now).lazy.filter { $0.hasPrefix(stem) }.compactMap { name -> SubtitleFile? in
            let path = "\(folder)/\(name)"
            guard let identity = MediaFile.identity(ofFileAt: path), identity.byteCount > 0,
                identity.byteCount <= SubtitleDocument.maximumFileByteCount
            else { return nil }
            return SubtitleFile(name: name, ofVideo: stem, path: path, identity: identity)
        }.prefix(SubtitleFile.maximumCount).map(\.self)
    }

    private func names(in folder: String, now: WallClockTime) -> [String] {
        var status = stat()
        guard stat(folder, &status) == 0 else { return [] }
        let time = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        let known = listings.withLock { $0[folder] }
        if let known, known.modificationTime == time { return known.names }
        let names = Self.subtitleNames(in: folder)
        guard now - WallClockTime(millisecondsSince1970: time / 1_000_000) > Self.clockTick else { return names }
        listings.withLock { listings in
            if listings.count >= Self.maximumFolderCount { listings.removeAll() }
            listings[folder] = Listing(modificationTime: time, names: names)
        }
        return names
    }

    private static func subtitleNames(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while names.count < maximumNameCount, let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            let ending = name.utf8.suffix(4).map { $0 | 0x20 }
            if ending.elementsEqual(".srt".utf8) || ending.elementsEqual(".vtt".utf8) { names.append(name) }
        }
        return names.sorted()
    }
}
