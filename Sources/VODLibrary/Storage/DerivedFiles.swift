import Foundation

/// Where the library keeps what it makes from files: converted movies, posters, covers.
struct DerivedFiles: Sendable {
    let directory: String

    enum Folder: String, CaseIterable, Sendable {
        case movies
        case audio
        case posters
        case covers
        /// With a folder for each title.
        case storyboards
    }

    /// Makes the folders that are missing.
    init(dataDirectory: String) throws {
        directory = dataDirectory
        for folder in Folder.allCases {
            try FileManager.default.createDirectory(
                atPath: "\(dataDirectory)/\(folder.rawValue)", withIntermediateDirectories: true)
        }
    }

    /// - Parameter ending: with its dot, or empty where the worker chooses it.
    func path(_ folder: Folder, id: String, revision: String, ending: String) -> String {
        "\(directory)/\(folder.rawValue)/\(id)-\(revision)\(ending)"
    }

    /// Makes an empty folder in the place of whatever is there.
    func makeFolder(_ path: String) throws {
        delete(path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    /// Whether the library made it, and so may delete it.
    func contains(_ path: String) -> Bool {
        Folder.allCases.contains { path.hasPrefix("\(directory)/\($0.rawValue)/") }
    }

    /// Deletes a file if, and only if, the library made it.
    func delete(_ path: String?) {
        guard let path, contains(path) else { return }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Deletes what no record names: left by a kill in the middle of a job.
    ///
    /// - Returns: how many there were.
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
