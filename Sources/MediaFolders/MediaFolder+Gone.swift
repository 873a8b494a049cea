import Foundation
import MediaCore

extension MediaFolder {
    /// Returns whether nothing has the name any more, not even a broken link or a file in the media store. Blocks.
    package func hasGone(_ name: String) -> Bool {
        var paths = ["\(path)/\(name)"]
        if let recordingsPath, let below = name.path(below: Self.recordingsPrefix) {
            paths.append("\(recordingsPath)/\(below)")
        }
        return paths.allSatisfy { path in
            guard !isStored(path) else { return false }
            var status = stat()
            return lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
        }
    }
}
