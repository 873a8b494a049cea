import Foundation
import Synchronization

/// A temporary directory of one test, removed with its content when the last reference is released.
package final class TemporaryDirectory: Sendable {
    package let path: String

    /// - Parameter label: part of the name that identifies the test, in case a crash leaves the directory behind.
    package init(label: String = "test") throws {
        let base = FileManager.default.temporaryDirectory.path
        path = "\(base)/antena-\(label)-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Makes a directory that many tests share: it is removed when the process exits, because static variables are
    /// never released.
    package static func untilExit(label: String) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory(label: label)
        let isFirst = sharedPaths.withLock { paths in
            paths.append(directory.path)
            return paths.count == 1
        }
        if isFirst {
            atexit {
                for path in TemporaryDirectory.sharedPaths.withLock({ $0 }) {
                    try? FileManager.default.removeItem(atPath: path)
                }
            }
        }
        return directory
    }

    private static let sharedPaths = Mutex<[String]>([])

    /// The path of `name` in the directory; folders in `name` are created.
    package func file(_ name: String) throws -> String {
        let file = "\(path)/\(name)"
        let folder = (file as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return file
    }

    /// Writes a file.
    ///
    /// - Returns: the new file's path.
    @discardableResult
    package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let file = try file(name)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }

    @discardableResult
    package func write(_ text: String, to name: String) throws -> String { try write(text.utf8, to: name) }
}

/// The whole content of a file.
package func bytesOfFile(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
}
