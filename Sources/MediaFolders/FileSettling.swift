import Foundation
package import MediaCore

/// Tells files that are still being written from finished ones: by their age, or because two scans found them
/// unchanged.
package struct FileSettling {
    /// Revisions found by the last scan, keyed by file name.
    private var lastScan: [String: String] = [:]
    private var thisScan: [String: String] = [:]

    /// Age after which a file is settled; copying programs write more often than this.
    package static let quietPeriod = Duration.seconds(1)

    package init() {}

    /// Begins a scan of the folder, which is compared with the last one.
    package mutating func beginScan() {
        lastScan = thisScan
        thisScan = [:]
    }

    /// True if another scan is needed to decide.
    package var isUndecided: Bool { !thisScan.isEmpty }

    /// Returns whether a file is finished.
    ///
    /// - Parameters:
    ///   - file: the file, as this scan found it.
    ///   - now: the current time. A file whose date is in the future has no known age, because the clocks of other
    ///     machines differ.
    package mutating func isSettled(_ file: FoundFile, now: WallClockTime) -> Bool {
        let age = now - WallClockTime(millisecondsSince1970: file.modificationTime / 1_000_000)
        if age >= Self.quietPeriod { return true }
        thisScan[file.name] = file.revision
        return lastScan[file.name] == file.revision
    }
}
