import Foundation

/// A file that was found below the media folder.
struct FoundFile: Sendable, Hashable {
    /// Relative to the section's folder.
    var name: String
    var path: String
    var kind: MediaKind
    var byteCount: Int64
    /// Nanoseconds since 1970.
    var modificationTime: Int64

    /// Changes whenever size or modification time do.
    var revision: String {
        // FNV-1a: it tells revisions of one file apart, and nobody gains by forging one.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(byteCount)-\(modificationTime)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(hash, radix: 36)
    }

    /// To the millisecond, as the catalogue keeps it.
    var modifiedAt: Date { Date(timeIntervalSince1970: Double(modificationTime / 1_000_000) / 1_000) }
}

/// Lists a section of the media folder.
struct MediaFolder: Sendable {
    let section: LibrarySection
    let path: String

    /// A library of this size wants another kind of storage than one folder tree.
    static let maximumFileCount = 100_000
    /// Links that lead back up end here.
    static let maximumDepth = 12
    static let maximumNameByteCount = 1_024

    init(section: LibrarySection, mediaDirectory: String) {
        self.section = section
        path = "\(mediaDirectory)/\(section.rawValue)"
    }

    /// All files that this section takes. Hidden ones, and those still under a temporary name, are left out.
    ///
    /// - Throws: ``LibraryError`` where the folder cannot be read; a folder that is not there is empty.
    func files() throws -> [FoundFile] {
        var found: [FoundFile] = []
        var pending: [(name: String, depth: Int)] = [("", 0)]
        while let (folder, depth) = pending.popLast() {
            let folderPath = folder.isEmpty ? path : "\(path)/\(folder)"
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: folderPath) else {
                guard folder.isEmpty, FileManager.default.fileExists(atPath: path) else { continue }
                throw LibraryError(.storage, "the media folder \(path) cannot be read")
            }
            for entry in names where !entry.hasPrefix(".") && !entry.hasSuffix(".part") {
                let name = folder.isEmpty ? entry : "\(folder)/\(entry)"
                guard name.utf8.count <= Self.maximumNameByteCount else { continue }
                switch Self.look(at: "\(path)/\(name)") {
                case .folder where depth < Self.maximumDepth: pending.append((name, depth + 1))
                case .file(let byteCount, let modificationTime):
                    guard let kind = MediaKind(fileName: entry), section.takes(kind) else { continue }
                    guard found.count < Self.maximumFileCount else {
                        throw LibraryError(.limitExceeded, "more than \(Self.maximumFileCount) files in \(path)")
                    }
                    found.append(
                        FoundFile(
                            name: name, path: "\(path)/\(name)", kind: kind, byteCount: byteCount,
                            modificationTime: modificationTime))
                case .folder, .other: break
                }
            }
        }
        return found
    }

    /// One file of the section; `nil` where it is not there, or nothing that the section takes.
    func file(named name: String) -> FoundFile? {
        guard case .file(let byteCount, let modificationTime) = Self.look(at: "\(path)/\(name)"),
            let kind = MediaKind(fileName: name), section.takes(kind)
        else { return nil }
        return FoundFile(
            name: name, path: "\(path)/\(name)", kind: kind, byteCount: byteCount, modificationTime: modificationTime)
    }

    private enum Entry {
        case folder
        case file(byteCount: Int64, modificationTime: Int64)
        case other
    }

    private static func look(at path: String) -> Entry {
        var status = stat()
        guard stat(path, &status) == 0 else { return .other }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFREG:
            let time = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
            return .file(byteCount: Int64(status.st_size), modificationTime: time)
        default: return .other
        }
    }
}
