import Foundation

/// The server's machine, as the dashboard shows it.
package struct MachineState: Sendable, Hashable {
    /// Bytes that are free where the server keeps its data; `nil` if that is not known.
    package var freeByteCount: Int64?
    package var diskByteCount: Int64?
    /// Memory of the server's process; `nil` if that is not known.
    package var residentByteCount: Int64?
    /// Processes that wait for a processor, on average over a minute; `nil` if that is not known.
    package var load: Double?
    package var processorCount: Int

    /// A share of free disk below which there is an alert.
    package static let leastFreeShare = 0.1

    /// Reads the state. The calls may wait for a disk, so that they belong on a thread of their own.
    ///
    /// - Parameter folder: the server's data folder.
    package static func read(folder: String) -> MachineState {
        let disk = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        return MachineState(
            freeByteCount: (disk?[.systemFreeSize] as? NSNumber)?.int64Value,
            diskByteCount: (disk?[.systemSize] as? NSNumber)?.int64Value,
            residentByteCount: line("/proc/self/status", "VmRSS:").flatMap { Int64($0) }.map { $0 * 1_024 },
            load: (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))?.split(separator: " ").first
                .flatMap { Double($0) },
            processorCount: ProcessInfo.processInfo.activeProcessorCount)
    }

    /// The number after a name in a file of the kernel.
    private static func line(_ file: String, _ name: String) -> Substring? {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
        return text.split(separator: "\n").first { $0.hasPrefix(name) }?
            .split(whereSeparator: \.isWhitespace).dropFirst().first
    }

    /// Whether little of the disk is free.
    var isDiskNearlyFull: Bool {
        guard let freeByteCount, let diskByteCount, diskByteCount > 0 else { return false }
        return Double(freeByteCount) / Double(diskByteCount) < Self.leastFreeShare
    }
}
