import Foundation
import Packaging

/// Where a channel's recordings lie: finished ones as the titles that they are, the one that is being made under a
/// name that no library takes.
struct RecordingFolder: Sendable {
    /// Below it lies a folder for each channel.
    let directory: String
    let channel: String
    /// Of the channel, for people.
    let title: String

    /// In front of the names that the library gives to what lies in ``directory``.
    static let libraryPrefix = "recordings/"
    /// Behind the name of what is not finished.
    static let unfinishedSuffix = ".part"
    /// Recordings that begin in the same second get a number.
    private static let maximumNameCount = 100

    var path: String { "\(directory)/\(channel)" }
    /// In front of their dates.
    private var recordingPrefix: String { "\(channel)_" }
    private var clipPrefix: String { "\(channel)-clip_" }

    enum Kind {
        case recording
        /// Made by hand, so the limits leave it alone.
        case clip
    }

    /// A name that is free, and the title that goes with it.
    ///
    /// - Parameter date: milliseconds since 1970: of the first picture.
    /// - Throws: where the folder cannot be made.
    func begin(at date: Int64, kind: Kind = .recording) throws -> (name: String, title: String) {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let date = Date(millisecondsSince1970: date)
        // Without a colon, which not every file system takes; in UTC, so that no hour comes twice.
        let stem = (kind == .clip ? clipPrefix : recordingPrefix) + Self.text(date, "yyyy-MM-dd_HH-mm-ss", in: .gmt)
        let name = (1...Self.maximumNameCount).lazy.map { $0 == 1 ? "\(stem).mp4" : "\(stem)-\($0).mp4" }
            .first { isFree($0) && isFree($0 + Self.unfinishedSuffix) }
        // To the second: an encoder that comes back within a minute begins another recording.
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

    /// The file becomes a title.
    ///
    /// - Throws: where it cannot be renamed.
    func finish(_ name: String) throws {
        try FileManager.default.moveItem(
            atPath: "\(path)/\(name)\(Self.unfinishedSuffix)", toPath: "\(path)/\(name)")
    }

    /// Finishes what a killed server left.
    ///
    /// - Returns: names of files, each with what is wrong with it, if anything is.
    func takeUp() -> [(name: String, error: (any Error)?)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(Self.unfinishedSuffix) }.map { unfinished in
            let name = String(unfinished.dropLast(Self.unfinishedSuffix.count))
            do {
                // Half a clip is not what anybody asked for.
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
    ///   - runningByteCount: of the recording that is being made.
    ///   - now: milliseconds since 1970.
    /// - Returns: the names of what was deleted.
    func enforce(_ limits: RecordingLimits, runningByteCount: Int64, now: Int64) -> [String] {
        guard limits.maximumByteCount != nil || limits.maximumAgeDays != nil else { return [] }
        var finished = finishedRecordings()
        var total = finished.reduce(runningByteCount) { $0 + $1.byteCount }
        let oldestAllowed = limits.maximumAgeDays.map { Double(now) / 1_000 - Double($0) * 86_400 }
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

    /// Oldest first.
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
