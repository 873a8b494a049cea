import Foundation
import MediaCore

/// The folders in which the library keeps the files that it makes: converted movies, posters, covers.
struct DerivedFiles: Sendable {
    let directory: String

    enum Folder: String, CaseIterable, Sendable {
        case movies
        case audio
        case posters
        case covers
        /// Has a folder for each title.
        case storyboards
    }

    /// Makes the folders that are missing.
    ///
    /// - Throws: the file system's error if a folder cannot be made.
    init(dataDirectory: String) throws {
        directory = dataDirectory
        for folder in Folder.allCases {
            try FileManager.default.createDirectory(
                atPath: "\(dataDirectory)/\(folder.rawValue)", withIntermediateDirectories: true)
        }
    }

    /// The path of a derived file.
    ///
    /// - Parameter ending: the file extension with its dot; empty if the worker chooses it.
    func path(_ folder: Folder, id: String, revision: String, ending: String) -> String {
        "\(directory)/\(folder.rawValue)/\(id)-\(revision)\(ending)"
    }

    /// Makes an empty folder, replacing whatever is there.
    func makeFolder(_ path: String) throws {
        delete(path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    /// Returns whether the path is an entry of one of the folders. Only the library makes such entries, so it may
    /// delete them.
    func contains(_ path: String) -> Bool { entry(path)?.names.count == 1 }

    /// Returns whether the path lies in the folder of all derived files, so that ``contains(_:)`` may be true.
    func mayContain(_ path: String) -> Bool { path.hasPrefix("\(directory)/") }

    /// Returns whether the path is a file that viewers may be given: an entry of one of the folders, or a file of a
    /// storyboard.
    func containsServedFile(_ path: String) -> Bool {
        guard let (folder, names) = entry(path) else { return false }
        return names.count == 1 || folder == .storyboards && names.count == 2
    }

    /// The folder that the path begins with, and the names below it; `nil` for any other path, and for a path that
    /// leaves the folder or has empty names.
    private func entry(_ path: String) -> (folder: Folder, names: [Substring])? {
        for folder in Folder.allCases {
            let prefix = "\(directory)/\(folder.rawValue)/".utf8
            guard path.utf8.starts(with: prefix) else { continue }
            let rest = path.utf8.dropFirst(prefix.count)
            let names = rest.split(separator: FilePathText.slash, omittingEmptySubsequences: false).map {
                Substring($0)
            }
            return names.allSatisfy(FilePathText.isName) ? (folder, names) : nil
        }
        return nil
    }

    /// Deletes a file if, and only if, the library made it.
    func delete(_ path: String?) {
        guard let path, contains(path) else { return }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Deletes files that no record names, left by a crash in the middle of a job.
    ///
    /// - Returns: the number of deleted files.
    func deleteOrphans(keeping kept: Set<String>) -> Int {
        var count = 0
        for folder in Folder.allCases {
            let path = "\(directory)/\(folder.rawValue)"
            for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            where !kept.contains("\(path)/\(name)") {
                if (try? FileManager.default.removeItem(atPath: "\(path)/\(name)")) != nil { count += 1 }
            }
        }
        return count
    }
}
