import Foundation
import MediaCore
import Packaging

/// The folder of a channel's recordings. Finished ones lie there as titles, the running one under a name that the
/// library ignores.
struct RecordingFolder: Sendable {
    /// The folder that holds one folder per channel.
    let directory: String
    let channel: String
    /// The channel's human-readable title.
    let title: String

    /// Prefix of the names that the library gives to files in ``directory``.
    static let libraryPrefix = "recordings/"
    /// Suffix of the names of unfinished files.
    static let unfinishedSuffix = ".part"
    /// Limit on the numbers that tell apart recordings that begin in the same second.
    private static let maximumNameCount = 100

    var path: String { "\(directory)/\(channel)" }
    /// Prefix of the names of recordings, followed by their dates.
    private var recordingPrefix: String { "\(channel)_" }
    private var clipPrefix: String { "\(channel)-clip_" }

    enum Kind {
        case recording
        /// A clip made on request; the recording limits do not delete it.
        case clip
    }

    /// A free file name, and the title that belongs to it.
    ///
    /// - Parameter date: the date of the first frame.
    /// - Throws: the file system's error if the folder cannot be made.
    func begin(at date: WallClockTime, kind: Kind = .recording) throws -> (name: String, title: String) {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let date = Date(date)
        // The name has no colon, which some file systems do not accept. It is in UTC, so that no hour occurs twice.
        let stem = (kind == .clip ? clipPrefix : recordingPrefix) + Self.text(date, "yyyy-MM-dd_HH-mm-ss", in: .gmt)
        let name = (1...Self.maximumNameCount).lazy.map { $0 == 1 ? "\(stem).mp4" : "\(stem)-\($0).mp4" }
            .first { isFree($0) && isFree($0 + Self.unfinishedSuffix) }
        // The title includes seconds, because an encoder that comes back within a minute begins another recording.
        return (name ?? "\(stem).mp4", "\(title), " + Self.text(date, "d MMMM yyyy HH:mm:ss", in: .current))
    }

    private func isFree(_ name: String) -> Bool { !FileManager.default.fileExists(atPath: "\(path)/\(name)") }

    private static func text(_ date: Date, _ format: String, in timeZone: TimeZone) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_GB")
        formatter.timeZone = timeZone
        formatter.dateFormat = format
        return formatter.string(from: date)
    }

    /// Renames a finished file, which becomes a title.
    ///
    /// - Throws: the file system's error if the file cannot be renamed.
    func finish(_ name: String) throws {
        try FileManager.default.moveItem(
            atPath: "\(path)/\(name)\(Self.unfinishedSuffix)", toPath: "\(path)/\(name)")
    }

    /// Finishes the recordings that a killed server left, and deletes unfinished clips.
    ///
    /// - Returns: the names of the files, each with its error, if there was one.
    func recover() -> [(name: String, error: (any Error)?)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(Self.unfinishedSuffix) }.map { unfinished in
            let name = String(unfinished.dropLast(Self.unfinishedSuffix.count))
            do {
                // Nobody asked for half a clip.
                if !name.hasPrefix(clipPrefix), try InterruptedMovie.cut(path: "\(path)/\(unfinished)") {
                    try finish(name)
                } else {
                    try FileManager.default.removeItem(atPath: "\(path)/\(unfinished)")
                }
                return (name, nil)
            } catch {
                return (name, error)
            }
        }
    }

    /// Deletes finished recordings, the oldest first, until the limits are kept.
    ///
    /// - Parameters:
    ///   - runningByteCount: the size of the running recording, in bytes.
    ///   - now: the current time.
    /// - Returns: the names of the deleted files.
    func enforce(_ limits: RecordingLimits, runningByteCount: Int64, now: WallClockTime) -> [String] {
        guard limits.maximumByteCount != nil || limits.maximumAgeDays != nil else { return [] }
        var finished = finishedRecordings()
        var total = finished.reduce(runningByteCount) { $0 + $1.byteCount }
        let oldestAllowed = limits.maximumAgeDays.map {
            Double(now.millisecondsSince1970) / 1_000 - Double($0) * 86_400
        }
        var deleted: [String] = []
        while let oldest = finished.first {
            let isTooOld = oldestAllowed.map { oldest.endedAt < $0 } ?? false
            let isTooMuch = limits.maximumByteCount.map { total > $0 } ?? false
            guard isTooOld || isTooMuch else { break }
            finished.removeFirst()
            total -= oldest.byteCount
            guard (try? FileManager.default.removeItem(atPath: "\(path)/\(oldest.name)")) != nil else { continue }
            deleted.append(oldest.name)
        }
        return deleted
    }

    private struct FinishedRecording {
        var name: String
        var byteCount: Int64
        /// Seconds since 1970.
        var endedAt: Double
    }

    /// The channel's finished recordings, oldest first.
    private func finishedRecordings() -> [FinishedRecording] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasPrefix(recordingPrefix) && $0.hasSuffix(".mp4") }.compactMap { name in
            MediaFile.identity(ofFileAt: "\(path)/\(name)").map {
                FinishedRecording(
                    name: name, byteCount: $0.byteCount, endedAt: Double($0.modificationTime) / 1e9)
            }
        }.sorted { ($0.endedAt, $0.name) < ($1.endedAt, $1.name) }
    }
}
